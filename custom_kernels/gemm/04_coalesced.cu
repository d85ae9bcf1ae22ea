// Idea:    one thread per element of C: the dot product of a row of A and a column of B.
// New:     against naive, neighbouring threads take neighbouring columns: the lanes of a warp read one
//          element of A (a broadcast) and 32 neighbours of B, and write 32 neighbours of C, both coalesced.
// Expect:  5 sectors for the loads of 32 multiply-adds, where naive fetched 33.
// Limits:  still two loads per multiply-add, and the L1 cache takes one request per cycle and multiprocessor.
//          With B column-major the lanes read 32 lines again.
// Source:  Boehm 2022, "How to optimize a CUDA matmul kernel": kernel 2.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void coalesced_element(typename C::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = id / g.n, j = id % g.n;
  if (i >= g.m) return;
  using Sum = typename C::Sum;
  Sum sum = 0;
  for (std::int64_t p = 0; p < g.k; ++p) sum += Sum(g.a(i, p)) * Sum(g.b(p, j));
  C::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

template <class C>
void coalesced(const typename C::Args& g, Context& ctx) {
  launch(ctx, ceil_div(g.m * g.n, kThreads), kThreads, 0, coalesced_element<C>, g);
}

REGISTER(Gemm, coalesced, .note = "one thread per element, neighbours in a row")

}  // namespace
}  // namespace tandem
