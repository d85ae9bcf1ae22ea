// Wrong:   a tile is staged in shared memory, and other threads read it without a barrier in between.
// Caught:  the executor runs a thread up to its next barrier; shared memory starts poisoned.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void missing_barrier_block(typename C::Args a) {
  __shared__ Shared<typename C::T, C::kInputs * kThreads> tile;
  const int t = threadIdx.x, from = kThreads - 1 - t;
  const std::int64_t first = std::int64_t(blockIdx.x) * kThreads;
  if (first + t < a.n) {
    for (int k = 0; k < C::kInputs; ++k) tile[k * kThreads + t] = a.in[k][first + t];
  }
  // __syncthreads() belongs here
  if (first + from < a.n)
    a.out[first + from] = C::apply(a.f, [&](int k) { return tile[k * kThreads + from]; });
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, missing_barrier_block<C>, a);
}

REGISTER(Transform, missing_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
