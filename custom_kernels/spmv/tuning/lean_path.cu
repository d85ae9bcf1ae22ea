// 07_lean_path with 3 to 15 items of a thread and 2 to 8 blocks of a multiprocessor: how much of the cache should x have?
//
// Expect:  large tiles read the matrix faster, small ones leave x more.

#include "custom_kernels/spmv/07_lean_path.cu"
#include "custom_kernels/spmv/tuning/shapes.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int kItems, int kBlocks>
bool add_items() {
  using C = Spmv::Case<float>;
  const std::string items = std::to_string(kItems), blocks = std::to_string(kBlocks);
  TuningPoint point{.tuning = "lean_path",
                    .shapes = tuning_shapes(),
                    .trial = 2,  // rmat
                    .row = kItems,
                    .column = kBlocks,
                    .row_label = items + " items",
                    .column_label = blocks + " blocks"};
  point.implementation.name = items + "x" + blocks;
  point.model = [](const TuningPoint& p, int warps) { return share_on_their_way(p.row, warps); };
  return add_point<Spmv, C, lean_path<C, kItems, kBlocks>, lean_path_tile<C, kItems, kBlocks>, kPathThreads>(
      point);
}

template <int... kItems>
bool add_all() {
  return ((add_items<kItems, 4>() && add_items<kItems, 5>() && add_items<kItems, 6>() &&
           add_items<kItems, 8>()) &&
          ...);
}

const bool added = add_all<3, 5, 7, 9, 11, 15>();

}  // namespace
}  // namespace tandem
