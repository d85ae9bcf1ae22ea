// Wrong:   elements after the last whole pack of 16 bytes are not written.
// Caught:  sizes that are not a multiple of a pack; poisoned outputs.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void tail_dropped_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  constexpr int kPack = 16 / sizeof(typename C::T);
  if (i < a.n / kPack * kPack) a.out[i] = C::at(a, i);
}

template <class C>
void tail_dropped(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, tail_dropped_block<C>, a);
}

REGISTER(Transform, tail_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
