// Wrong:   reads B as if it were row-major.
// Caught:  every pair of layouts.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void ignores_layout_element(typename C::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = id / g.n, j = id % g.n;
  if (i >= g.m) return;
  const auto b = [&g](std::int64_t p, std::int64_t j) {
    const std::int64_t ld = max(g.b.row, g.b.col), lines = g.b.col == 1 ? g.k : g.n;
    return g.b.data[(p * ld + j) % (lines * ld)];  // wrong, but inside the matrix
  };
  typename C::T sum = 0;
  for (std::int64_t p = 0; p < g.k; ++p) sum += g.a(i, p) * b(p, j);
  C::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

template <class C>
requires Gemm::wide<C>
void ignores_layout(const typename C::Args& g, Context& ctx) {
  launch(ctx, ceil_div(g.m * g.n, kThreads), kThreads, 0, ignores_layout_element<C>, g);
}

REGISTER(Gemm, ignores_layout, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
