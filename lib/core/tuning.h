#pragma once
// Sweeps: a step of a ladder again and again, with other constants than its own, to see what a constant is good for.
// (Not the sweeps over a grid's lines, which are in ops/tridiagonal.h.)
// Their points are no steps: they have a list of their own, which `tandem compare OP --sweep NAME` measures.

#include <string>
#include <vector>

#include "lib/core/registry.h"

namespace tandem {

constexpr int kMostWarps = 64;  // resident on a multiprocessor

/// What a kernel takes from a multiprocessor, for each thread and as a whole.
struct Resources {
  int registers;
  std::size_t spilled_bytes;  // of a thread's variables that found no register, in local memory
  int warps;                  // resident on a multiprocessor at once
};

struct SweepPoint {
  Implementation implementation = {};             // named "gemm/tile/4x8"
  std::string sweep;                              // "tile"
  std::vector<std::vector<std::int64_t>> shapes;  // where it is measured, unless others are asked for
  int row, column;                                // the constants: where the point stands in the picture
  std::string row_label, column_label;
  /// What theory allows: a share of the operation's bound, given how many warps are resident on a multiprocessor.
  double (*model)(const SweepPoint&, int warps) = nullptr;
  Resources (*resources)(Context& ctx) = nullptr;  // of a kernel on a GPU
};

/// The points of a sweep, by place, row and column. InvalidArgument names the sweeps of the operation.
TANDEM_API std::vector<SweepPoint> sweep_points(std::string_view operation, std::string_view sweep);

namespace detail {
TANDEM_API bool add(SweepPoint point);
}

}  // namespace tandem
