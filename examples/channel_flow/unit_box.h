#pragma once
// What the checks share: flows in the unit box, marching to a time, distances between fields.

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify.h"

namespace channel {

inline constexpr Face kWall = Face::wall, kMirror = Face::symmetry, kOpen = Face::developed;
using Faces = std::array<std::array<Face, 2>, 3>;
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// The unit cube with `cells` along axes where it matters and two elsewhere.
inline Flow box(std::array<std::int64_t, 3> cells, const Faces& faces) {
  Flow flow;
  for (std::size_t axis = 0; axis < 3; ++axis) flow.n[axis] = cells[axis] + 1;
  flow.length = {1, 1, 1};
  flow.faces = faces;
  flow.mach = 1;
  flow.tolerance = 1e-10;
  return flow;
}
inline constexpr std::int64_t kFew = 2;
// Friction does not warm a gas of nearly infinite heat capacity, so no sound is left to decay before a flow
// is steady. (The manufactured solution tests those terms.)
inline constexpr double kIsothermal = 1 + 1e-14;

template <class T>
void march(Solver<T>& solver, double until) {
  while (solver.time() < until - 0.5 * solver.flow().dt) solver.step();
}

/// The largest step up to `dt` of which a whole number reaches `time`.
inline double even_step(double dt, double time) { return time / std::ceil(time / dt); }

/// Largest difference over all nodes of `unknowns`.
template <class T>
double distance(const Fields<T>& a, const Fields<T>& b, std::vector<int> unknowns = {kRho, kU, kV, kW, kT}) {
  double worst = 0;
  for (const int unknown : unknowns) {
    const auto& x = a[static_cast<std::size_t>(unknown)];
    const auto& y = b[static_cast<std::size_t>(unknown)];
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double d = std::fabs(static_cast<double>(x[c]) - static_cast<double>(y[c]));
      if (!(d <= worst)) worst = d;  // a NaN stays
    }
  }
  return worst;
}

inline const Profile kRest = [](double, double, double, double) { return Values{1, 0, 0, 0, 1}; };

}  // namespace channel
