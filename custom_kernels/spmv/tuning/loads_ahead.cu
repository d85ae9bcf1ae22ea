// 06_loads_ahead with 1 to 8 elements of a lane on their way: fewer lanes for a row, or more loads?
//
// Expect:  more, until registers for them leave too few warps.

#include "custom_kernels/spmv/06_loads_ahead.cu"
#include "custom_kernels/spmv/tuning/shapes.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int kElements, int kMultiple>
bool add_ahead() {
  using C = Spmv::Case<float>;
  const std::string elements = std::to_string(kElements), blocks = std::to_string(kMultiple);
  TuningPoint point{.tuning = "loads_ahead",
                    .shapes = tuning_shapes(),
                    .row = kElements,
                    .column = kMultiple,
                    .row_label = elements + " elements of a lane",
                    .column_label = blocks + " blocks"};
  point.implementation.name = elements + "x" + blocks;
  point.model = [](const TuningPoint& p, int warps) { return share_on_their_way(p.row, warps); };
  return add_point<Spmv, C, loads_ahead<C, kElements, kMultiple>,
                   loads_ahead_lanes<C::Of<std::int32_t>, kElements, kMultiple>, kThreads>(point);
}

template <int... kElements>
bool add_all() {
  return ((add_ahead<kElements, 4>() && add_ahead<kElements, 5>() && add_ahead<kElements, 8>()) && ...);
}

const bool added = add_all<1, 2, 4, 8>();

}  // namespace
}  // namespace tandem
