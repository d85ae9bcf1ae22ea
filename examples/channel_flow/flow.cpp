#include "flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <tandem/tandem.h>

namespace channel {
namespace {

[[noreturn]] void refuse(const std::string& name, double value, const std::string& limit) {
  throw tandem::InvalidArgument(fmt::format("channel_flow: {} is {}; it must be {}", name, value, limit));
}
void positive(const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value)) refuse(name, value, "positive and finite");
}

}  // namespace

double Flow::suggested_dt() const {
  double h = spacing(0);
  for (int axis = 1; axis < 3; ++axis) h = std::min(h, spacing(axis));
  return 0.5 * h / (1 + 1 / mach);
}

void Flow::check() const {
  for (int axis = 0; axis < 3; ++axis) {
    const std::string letter(1, static_cast<char>('x' + axis));
    if (n[axis] < kFewestNodes || n[axis] > kMostNodes) {
      throw tandem::InvalidArgument(
          fmt::format("channel_flow: the grid has {} nodes along {}; the scheme takes {} to {}", n[axis],
                      letter, kFewestNodes, kMostNodes));
    }
    positive("the length along " + letter, length[axis]);
    for (int side = 0; side < 2; ++side) {
      if (faces[axis][side] == Face::outflow && (axis != 0 || side != 1))
        throw tandem::InvalidArgument("channel_flow: an outflow is only at the upper x face");
    }
  }
  positive("Re", re);
  positive("Pr", pr);
  positive("Mach", mach);
  positive("dt", dt);
  positive("the tolerance", tolerance);
  if (!(gamma > 1) || !std::isfinite(gamma)) refuse("gamma", gamma, "above 1 and finite");
  if (!(theta >= 0.5 && theta <= 1)) refuse("theta", theta, "between 0.5 and 1");
  if (!std::isfinite(force)) refuse("the force", force, "finite");
  if (most_iterations < 2) refuse("the number of global iterations", most_iterations, "at least 2");
  if (local_iterations < 1) refuse("the number of local iterations", local_iterations, "at least 1");
}

}  // namespace channel
