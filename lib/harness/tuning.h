#pragma once
// A tuning compiles one step of a ladder many times with different constants, to measure what they are worth.
// Its points are not steps: they have a list of their own, which `tandem compare OP --tuning NAME` measures.

#include <string>
#include <utility>
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

struct TuningPoint {
  Implementation implementation = {};             // named "gemm/tile/4x8"
  std::string tuning;                             // "tile"
  std::vector<std::vector<std::int64_t>> shapes;  // where it is measured, unless others are asked for
  std::size_t trial = 0;                          // on which of the trials of a shape: of spmv, a family
  int row, column;                                // the constants: where the point stands in the picture
  std::string row_label, column_label;
  /// What theory allows: a share of the operation's bound, given how many warps are resident on a
  /// multiprocessor.
  double (*model)(const TuningPoint&, int warps) = nullptr;
  Resources (*resources)(Context& ctx) = nullptr;  // of a kernel on a GPU
};

/// Every tuning of this build, as (operation, name), in this order.
TANDEM_API std::vector<std::pair<std::string, std::string>> tunings();
/// The points of a tuning, by place, row and column. InvalidArgument names the tunings of the operation.
TANDEM_API std::vector<TuningPoint> tuning_points(std::string_view operation, std::string_view tuning);

namespace detail {
TANDEM_API bool add(TuningPoint point);
}

}  // namespace tandem
