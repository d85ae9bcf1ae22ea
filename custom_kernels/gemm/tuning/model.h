#pragma once
// What the sweeps of this folder share: their shapes, and what theory allows a register tile straight from global memory.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tandem {

/// n × n × n: of the published tables, and where the GPU is full.
inline std::vector<std::vector<std::int64_t>> sweep_shapes() { return {{512}, {4096}}; }

/// Share of the multiply-add rate for tiles of rows × cols and the inputs of `inputs` steps of k loaded ahead, when so
/// many warps are resident on a multiprocessor.
///
/// A multiprocessor issues 4 warp multiply-adds per cycle, its load units take in one warp's load. And a warp that waits
/// for its inputs multiplies nothing: a round of `inputs` steps lasts as long as a load from the second-level cache and
/// the warp's own instructions, and what the resident warps do in that time is all that is done (Little's law).
inline double register_tile_model(int rows, int cols, int inputs, int warps) {
  constexpr double kIssue = 4, kLoads = 1;  // warp instructions per cycle
  constexpr double kLatency = 250;          // cycles of a load that the second-level cache answers
  const double products = double(rows) * cols * inputs, loads = double(rows + cols) * inputs;
  const double by_loads = products / loads * kLoads;
  const double by_latency = warps * products / (kLatency + products + loads);
  return std::min({kIssue, by_loads, by_latency}) / kIssue;
}

}  // namespace tandem
