// Wrong:   writes one result past the end.
// Caught:  guard zones around every array.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void one_past_end_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i <= a.n) a.out[i] = C::at(a, i);
}

template <class C>
void one_past_end(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n + 1, kThreads), kThreads, 0, one_past_end_block<C>, a);
}

REGISTER(Transform, one_past_end, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
