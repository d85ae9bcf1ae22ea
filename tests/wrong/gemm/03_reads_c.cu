// Wrong:   multiplies C by beta even where beta is 0.
// Caught:  C is poisoned with NaN there.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void reads_c_element(typename C::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = id % g.m, j = id / g.m;
  if (j >= g.n) return;
  typename C::T sum = 0;
  for (std::int64_t p = 0; p < g.k; ++p) sum += g.a(i, p) * g.b(p, j);
  g.c[i * g.ldc + j] = g.alpha * sum + g.beta * g.c[i * g.ldc + j];
}

template <class C>
requires Gemm::wide<C>
void reads_c(const typename C::Args& g, Context& ctx) {
  launch(ctx, ceil_div(g.m * g.n, kThreads), kThreads, 0, reads_c_element<C>, g);
}

REGISTER(Gemm, reads_c, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
