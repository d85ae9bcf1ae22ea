// 06_input_registers with neighbouring columns per thread, and the inputs of 1 to 64 steps of k loaded ahead: the
// matrix-multiplication lab's own form. tuning/inputs.cu has the same with columns a warp apart.
//
// Expect:  neighbouring lanes read words of B two apart, so a load of B takes twice the sectors; else the same.

#include "custom_kernels/gemm/06_input_registers.cu"
#include "custom_kernels/gemm/tuning/model.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int kInputs>
bool add_inputs() {
  using C = Gemm::Case<float>;
  constexpr int kSide = 2, kApart = 1;
  const std::string loaded = std::to_string(kSide * kInputs);
  TuningPoint point{.tuning = "neighbours",
                    .shapes = tuning_shapes(),
                    .row = kSide,
                    .column = kInputs,
                    .row_label = "2 x 2 tile",
                    .column_label = std::to_string(kInputs) + (kInputs == 1 ? " step" : " steps") + " of k"};
  point.implementation.name = loaded + "+" + loaded;
  point.model = [](const TuningPoint& p, int warps) {
    return register_tile_model(p.row, p.row, p.column, warps);
  };
  return add_point<Gemm, C, input_registers<C, kSide, kSide, kInputs, kApart>,
                   input_registers_thread<C, kSide, kSide, kInputs, kApart>, kThreads>(point);
}

const bool added = add_inputs<1>() && add_inputs<2>() && add_inputs<4>() && add_inputs<8>() &&
                   add_inputs<16>() && add_inputs<32>() && add_inputs<64>();

}  // namespace
}  // namespace tandem
