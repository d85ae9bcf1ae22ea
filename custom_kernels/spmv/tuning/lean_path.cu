// 07_lean_path with 5 to 11 items of a thread and 3 to 6 blocks of a multiprocessor: how much of the cache should x have? And with
// blocks for 1 to 16 waves: how many tiles should a block have?
//
// Expect:  large tiles read the matrix faster, small ones leave x more. Blocks of many tiles wait less, and end less evenly.

#include "custom_kernels/spmv/07_lean_path.cu"
#include "custom_kernels/spmv/tuning/shapes.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int kItems, int kBlocks, int kWaves>
bool add_items(const char* tuning, int column, std::string column_label) {
  using C = Spmv::Case<float>;
  const std::string items = std::to_string(kItems);
  TuningPoint point{.tuning = tuning,
                    .shapes = tuning_shapes(),
                    .trial = 2,  // rmat
                    .row = kItems,
                    .column = column,
                    .row_label = items + " items",
                    .column_label = std::to_string(column) + column_label};
  point.implementation.name = items + "x" + std::to_string(column);
  point.model = [](const TuningPoint& p, int warps) { return share_on_their_way(p.row, warps); };
  return add_point<Spmv, C, lean_path<C, kItems, kBlocks, kWaves>,
                   lean_path_share<C::Of<std::int32_t>, kItems, kBlocks>, kPathThreads>(point);
}

template <int kItems, int... kBlocks>
bool add_blocks() {
  return (add_items<kItems, kBlocks, kLeanWaves>("lean_path", kBlocks, " blocks") && ...);
}
template <int kItems, int... kWaves>
bool add_waves() {
  return (add_items<kItems, kLeanBlocks, kWaves>("lean_path_waves", kWaves, " waves") && ...);
}

const bool added = add_blocks<5, 3, 4, 5, 6>() && add_blocks<7, 3, 4, 5, 6>() && add_blocks<9, 3, 4, 5>() &&
                   add_blocks<11, 2, 3, 4>() && add_waves<5, 1, 2, 4, 8, 16>() &&
                   add_waves<7, 1, 2, 4, 8, 16>() && add_waves<9, 1, 2, 4, 8, 16>();

}  // namespace
}  // namespace tandem
