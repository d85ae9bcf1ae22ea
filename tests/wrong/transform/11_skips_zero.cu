// Wrong:   a product with zero is taken for zero, whatever the other factor is.
// Caught:  inputs with one NaN or one infinity, whose product with 0 is NaN.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void skips_zero_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  if (C::id.op == OperatorId::multiply_add && a.in[0][i] == 0)
    a.out[i] = a.in[C::kInputs - 1][i];
  else
    a.out[i] = C::at(a, i);
}

template <class C>
void skips_zero(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, skips_zero_block<C>, a);
}

REGISTER(Transform, skips_zero, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
