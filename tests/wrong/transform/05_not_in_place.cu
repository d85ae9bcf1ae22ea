// Wrong:   the first input is copied to the output, and the others are read afterwards: right unless
//          the output is one of them.
// Caught:  trials in place.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void not_in_place_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  a.out[i] = a.in[0][i];
  a.out[i] = C::apply(a.f, [&](int k) { return k == 0 ? a.out[i] : a.in[k][i]; });
}

template <class C>
void not_in_place(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, not_in_place_block<C>, a);
}

REGISTER(Transform, not_in_place, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
