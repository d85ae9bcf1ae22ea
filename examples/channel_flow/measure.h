#pragma once
// Times of the solver's parts: for `channel_flow bench`, and for `tandem reproduce`, which sets them beside the
// published ones.

#include <limits>

#include "solver.h"

namespace channel {

/// Along each axis, in the published tables.
inline constexpr std::int64_t kPublishedNodes = 448;

/// Tridiagonal systems solved per second along x, y, z, and of whole steps, with so many nodes along each axis:
/// the median of so many steps, or of those until which `enough` seconds have passed. Throws as Solver does.
template <class T>
std::array<double, 4> systems_per_second(tandem::Context& ctx, std::int64_t nodes, const Sweeps& sweeps,
                                         int repetitions,
                                         double enough = std::numeric_limits<double>::infinity());

/// Seconds, medians of so many.
struct SweepTimes {
  std::array<double, 3> sweeps;  // for u, v, w and T along x, y, z
  double transposes = 0;         // of the sweep along z, within it; 0 where it transposes nothing
};
template <class T>
SweepTimes seconds_of_sweeps(tandem::Context& ctx, std::int64_t nodes, const Sweeps& sweeps, int repetitions);

}  // namespace channel
