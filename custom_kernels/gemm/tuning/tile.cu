// 05_register_tile with TM and TN from 1 to 32: how many results should a thread compute?
//
// Expect:  doubling TM and TN halves the loads per multiply-add, until the accumulators of a thread need more
//          registers than it can have (255) and spill to local memory.
// Compiled are tiles of up to kMostResults results and, to see the cliff, the squares beyond.

#include "custom_kernels/gemm/05_register_tile.cu"
#include "custom_kernels/gemm/tuning/model.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

constexpr int kMostResults = 192;

template <int TM, int TN>
bool add_tile() {
  using C = Gemm::Case<float>;
  if constexpr (TM * TN <= kMostResults || TM == TN) {
    const std::string rows = std::to_string(TM), cols = std::to_string(TN);
    TuningPoint point{.tuning = "tile",
                      .shapes = tuning_shapes(),
                      .row = TM,
                      .column = TN,
                      .row_label = rows + (TM == 1 ? " row" : " rows"),
                      .column_label = cols + (TN == 1 ? " column" : " columns")};
    point.implementation.name = rows + "x" + cols;
    point.model = [](const TuningPoint& p, int warps) {
      return register_tile_model(p.row, p.column, 1, warps);
    };
    return add_point<Gemm, C, register_tile<C, TM, TN>, register_tile_thread<C, TM, TN>, kThreads>(point);
  }
  return true;
}

template <int... kSizes>
bool add_tiles() {
  const auto row = []<int TM>() { return (add_tile<TM, kSizes>() & ...); };
  return (row.template operator()<kSizes>() & ...);
}

const bool added = add_tiles<1, 2, 4, 8, 12, 16, 32>();

}  // namespace
}  // namespace tandem
