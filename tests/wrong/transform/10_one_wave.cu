// Wrong:   a grid of one wave without the grid-stride loop.
// Caught:  sizes beyond one grid.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void one_wave_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < a.n) a.out[i] = C::at(a, i);
}

template <class C>
void one_wave(const typename C::Args& a, Context& ctx) {
  const std::int64_t wave = ctx.multiprocessors(), wanted = ceil_div(a.n, kThreads);
  launch(ctx, wanted < wave ? wanted : wave, kThreads, 0, one_wave_block<C>, a);
}

REGISTER(Transform, one_wave, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
