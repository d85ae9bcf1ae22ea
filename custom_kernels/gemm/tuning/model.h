#pragma once
// Shapes of this folder's tunings, and a roofline model of a register tile straight from global memory.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tandem {

/// Cubes n × n × n: the size of the published tables, and one that fills the GPU.
inline std::vector<std::vector<std::int64_t>> tuning_shapes() { return {{512}, {4096}}; }

/// Share of the peak multiply-add rate for tiles of tm × tn, the inputs of `inputs` steps of k loaded ahead,
/// and `warps` resident warps per multiprocessor.
///
/// A multiprocessor issues 4 warp multiply-adds per cycle and one warp load. A warp that waits for its inputs
/// multiplies nothing: a round of `inputs` steps lasts as long as an L2 hit plus the warp's own instructions,
/// and the throughput is what the resident warps do in that time (Little's law).
inline double register_tile_model(int tm, int tn, int inputs, int warps) {
  constexpr double kIssue = 4, kLoads = 1;  // warp instructions per cycle
  constexpr double kLatency = 250;          // of an L2 hit, in cycles
  const double products = double(tm) * tn * inputs, loads = double(tm + tn) * inputs;
  const double by_loads = products / loads * kLoads;
  const double by_latency = warps * products / (kLatency + products + loads);
  return std::min({kIssue, by_loads, by_latency}) / kIssue;
}

}  // namespace tandem
