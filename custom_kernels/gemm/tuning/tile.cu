// The register tile of 05_register_tile with 1 to 32 rows and columns: how many results should a thread compute?
//
// Expect:  twice the rows and columns halve the loads per multiply-add, until the results of a thread need more
//          registers than it can have (255) and are spilled to memory.
// Compiled are tiles of up to kMostResults results and, to see the cliff, the squares beyond.

#include "lib/core/tuning_point.cuh"
//
#include "custom_kernels/gemm/05_register_tile.cu"
#include "custom_kernels/gemm/tuning/model.h"

namespace tandem {
namespace {

constexpr int kMostResults = 192;

template <int kRows, int kCols>
bool add_tile() {
  using C = Gemm::Case<float>;
  if constexpr (kRows * kCols <= kMostResults || kRows == kCols) {
    const std::string rows = std::to_string(kRows), cols = std::to_string(kCols);
    SweepPoint point{.sweep = "tile",
                     .shapes = sweep_shapes(),
                     .row = kRows,
                     .column = kCols,
                     .row_label = rows + (kRows == 1 ? " row" : " rows"),
                     .column_label = cols + (kCols == 1 ? " column" : " columns")};
    point.implementation.name = rows + "x" + cols;
    point.model = [](const SweepPoint& p, int warps) {
      return register_tile_model(p.row, p.column, 1, warps);
    };
    return add_point<Gemm, C, register_tile<C, kRows, kCols>, register_tile_thread<C, kRows, kCols>,
                     kThreads>(point);
  }
  return true;
}

template <int... kSizes>
bool add_tiles() {
  const auto row = []<int kRows>() { return (add_tile<kRows, kSizes>() & ...); };
  return (row.template operator()<kSizes>() & ...);
}

const bool added = add_tiles<1, 2, 4, 8, 12, 16, 32>();

}  // namespace
}  // namespace tandem
