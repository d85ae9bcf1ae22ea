// Wrong:   sums doubles in floats.
// Caught:  the bound of each type.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void low_precision_element(typename C::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = id / g.n, j = id % g.n;
  if (i >= g.m) return;
  float sum = 0;
  for (std::int64_t p = 0; p < g.k; ++p) sum += float(g.a(i, p) * g.b(p, j));
  C::update(g.c[i * g.ldc + j], typename C::T(sum), g.alpha, g.beta);
}

template <class C>
requires Gemm::wide<C>
void low_precision(const typename C::Args& g, Context& ctx) {
  launch(ctx, ceil_div(g.m * g.n, kThreads), kThreads, 0, low_precision_element<C>, g);
}

REGISTER(Gemm, low_precision, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
