#pragma once
// What the test files of channel_flow share.

#include <cmath>
#include <fstream>

#include "solver.h"
#include "tests/support.h"

namespace channel {

using tandem::contains;
using tandem::TemporaryDirectory;
using tandem::thrown;

/// A unit cube of gas between walls, from inflow to outflow.
inline Flow duct(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Flow flow;
  flow.n = {nx, ny, nz};
  flow.length = {1, 1, 1};
  flow.re = 50;
  flow.mach = 0.5;
  flow.dt = flow.suggested_dt();
  flow.tolerance = 1e-5;
  return flow;
}
/// Fields in which no term of the equations vanishes.
inline Values lively(double x, double y, double z, double) {
  const double bump = 16 * y * (1 - y) * z * (1 - z);
  return {1 + 0.05 * bump * std::cos(3 * x), bump, 0.1 * bump * x, -0.1 * bump,
          1 + 0.1 * bump * std::sin(3 * x)};
}

inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void spill(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

}  // namespace channel
