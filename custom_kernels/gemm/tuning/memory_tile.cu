// 05_memory_tile with square tiles of 2 to 32: the matrix-multiplication lab's own form, before it keeps inputs
// and sums in registers.
//
// Expect:  nothing is gained by a larger tile but threads are lost: the loads per product stay.

#include "custom_kernels/gemm/05_memory_tile.cu"
#include "custom_kernels/gemm/tuning/model.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int TM>  // TN = TM
bool add_tile() {
  using C = Gemm::Case<float>;
  const std::string side = std::to_string(TM);
  TuningPoint point{.tuning = "memory_tile",
                    .shapes = tuning_shapes(),
                    .row = TM,
                    .column = TM,
                    .row_label = side + " rows",
                    .column_label = side + " columns"};
  point.implementation.name = side + "x" + side;
  // A tile of one result loads two inputs for a product; here the sum is loaded and stored, too.
  point.model = [](const TuningPoint&, int warps) { return register_tile_model(1, 1, 1, warps) / 2; };
  return add_point<Gemm, C, memory_tile<C, TM, TM>, memory_tile_thread<C, TM, TM>, kThreads>(point);
}

const bool added = add_tile<2>() && add_tile<4>() && add_tile<8>() && add_tile<16>() && add_tile<32>();

}  // namespace
}  // namespace tandem
