// Idea:    one thread per element of C: the dot product of a row of A and a column of B.
// Expect:  two loads per multiply-add. Neighbouring threads take neighbouring rows, so the lanes of a warp
//          read one element of B (a broadcast) and 32 rows of A (uncoalesced): 32 sectors for 32 elements.
// Limits:  those loads; no reuse but what the caches happen to give.
// Source:  Kirk, Hwu, "Programming massively parallel processors", chapter 3.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void naive_element(typename C::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = id % g.m, j = id / g.m;
  if (j >= g.n) return;
  using Sum = typename C::Sum;
  Sum sum = 0;
  for (std::int64_t p = 0; p < g.k; ++p) sum += Sum(g.a(i, p)) * Sum(g.b(p, j));
  C::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

template <class C>
void naive(const typename C::Args& g, Context& ctx) {
  launch(ctx, ceil_div(g.m * g.n, kThreads), kThreads, 0, naive_element<C>, g);
}

REGISTER(Gemm, naive, .note = "one thread per element, neighbours in a column")

}  // namespace
}  // namespace tandem
