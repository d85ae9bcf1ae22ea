// Idea:    a block computes 32 × 32 results, one per thread, from tiles of A and B that all its threads load
//          into shared memory together.
// New:     against coalesced, an element of A or B is read from global memory once for 32 results.
// Expect:  a 32nd of the global loads; now each multiply-add takes two loads from shared memory, which serves
//          one request per cycle and multiprocessor: an eighth of the peak rate at best.
// Limits:  shared memory bandwidth; two barriers for every 32 steps of k.
// Source:  Kirk, Hwu, "Programming massively parallel processors", chapter 5.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int BM = 32, BN = 32, BK = 32;
constexpr int kThreads = BM * BN;
static_assert(BK == BM && BK == BN);  // a thread brings in one element of each tile

template <class C>
__global__ void __launch_bounds__(kThreads)
    shared_tile_block(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  using Sum = typename C::Sum;
  __shared__ Shared<T, BM, BK> a;  // (BM, BK)
  __shared__ Shared<T, BK, BN> b;  // (BK, BN)
  const int x = threadIdx.x % BN, y = threadIdx.x / BN;
  const std::int64_t row = blockIdx.x / tiles_per_row * BM + y;
  const std::int64_t col = blockIdx.x % tiles_per_row * BN + x;
  Sum sum = 0;
  for (std::int64_t p0 = 0; p0 < g.k; p0 += BK) {
    // Zeros beyond the edges add nothing.
    a[y][x] = row < g.m && p0 + x < g.k ? g.a(row, p0 + x) : T(0.0f);
    b[y][x] = p0 + y < g.k && col < g.n ? g.b(p0 + y, col) : T(0.0f);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < BK; ++p) sum += Sum(a[y][p]) * Sum(b[p][x]);
    __syncthreads();
  }
  if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

template <class C>
void shared_tile(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, BN);
  launch(ctx, ceil_div(g.m, BM) * tiles_per_row, kThreads, 0, shared_tile_block<C>, g, tiles_per_row);
}

REGISTER(Gemm, shared_tile, .note = "32 x 32 tiles in shared memory, one result per thread")

}  // namespace
}  // namespace tandem
