// Wrong:   takes the inputs in reverse order.
// Caught:  functions that are not symmetric: axpy, multiply_add.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void swapped_inputs_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < a.n) a.out[i] = C::apply(a.f, [&](int k) { return a.in[C::kInputs - 1 - k][i]; });
}

template <class C>
void swapped_inputs(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, swapped_inputs_block<C>, a);
}

REGISTER(Transform, swapped_inputs, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
