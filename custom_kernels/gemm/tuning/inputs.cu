// 06_input_registers with the inputs of 1 to 64 steps of k loaded ahead: how many loads should be in flight?
//
// Expect:  the latency of a load is amortised over more multiply-adds, until the inputs of a thread need more
//          registers than it can have and spill to local memory.
// Compiled: tiles of 2 × 2 with up to 128 + 128 inputs, 4 × 4 with up to 64 + 64, 8 × 8 with up to 128 + 128.

#include "custom_kernels/gemm/06_input_registers.cu"
#include "custom_kernels/gemm/tuning/model.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int TM, int kInputs>  // TN = TM
bool add_inputs() {
  using C = Gemm::Case<float>;
  const std::string side = std::to_string(TM), loaded = std::to_string(TM * kInputs);
  TuningPoint point{.tuning = "inputs",
                    .shapes = tuning_shapes(),
                    .row = TM,
                    .column = kInputs,
                    .row_label = side + " x " + side + " tile",
                    .column_label = std::to_string(kInputs) + (kInputs == 1 ? " step" : " steps") + " of k"};
  point.implementation.name = side + "x" + side + "/" + loaded + "+" + loaded;
  point.model = [](const TuningPoint& p, int warps) {
    return register_tile_model(p.row, p.row, p.column, warps);
  };
  return add_point<Gemm, C, input_registers<C, TM, TM, kInputs>, input_registers_thread<C, TM, TM, kInputs>,
                   kThreads>(point);
}

template <int TM, int... kInputs>
bool add_row() {
  return (add_inputs<TM, kInputs>() & ...);
}

const bool added =
    add_row<2, 1, 2, 4, 8, 16, 32, 64>() && add_row<4, 1, 2, 4, 8, 16>() && add_row<8, 1, 2, 4, 8, 16>();

}  // namespace
}  // namespace tandem
