// Wrong:   leaves out the last step of k where k is odd.
// Caught:  odd k.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void last_step_dropped_element(typename C::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = id / g.n, j = id % g.n;
  if (i >= g.m) return;
  typename C::T sum = 0;
  for (std::int64_t p = 0; p < g.k / 2 * 2; ++p) sum += g.a(i, p) * g.b(p, j);
  C::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

template <class C>
requires Gemm::wide<C>
void last_step_dropped(const typename C::Args& g, Context& ctx) {
  launch(ctx, ceil_div(g.m * g.n, kThreads), kThreads, 0, last_step_dropped_element<C>, g);
}

REGISTER(Gemm, last_step_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
