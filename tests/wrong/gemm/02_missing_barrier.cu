// Wrong:   no barrier after the multiply-adds: the next tile overwrites what other threads still read.
// Caught:  threads run one after another; k of several tiles.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int BM = 32, BN = 32, BK = 32;
constexpr int kThreads = BM * BN;
static_assert(BK == BM && BK == BN);  // a thread brings in one element of each tile

template <class C>
__global__ void __launch_bounds__(kThreads)
    missing_barrier_block(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  __shared__ Shared<T, BM, BK> a;  // (BM, BK)
  __shared__ Shared<T, BK, BN> b;  // (BK, BN)
  const int x = threadIdx.x % BN, y = threadIdx.x / BN;
  const std::int64_t row = blockIdx.x / tiles_per_row * BM + y;
  const std::int64_t col = blockIdx.x % tiles_per_row * BN + x;
  T sum = 0;
  for (std::int64_t p0 = 0; p0 < g.k; p0 += BK) {
    // Zeros beyond the edges add nothing.
    a[y][x] = row < g.m && p0 + x < g.k ? g.a(row, p0 + x) : T(0);
    b[y][x] = p0 + y < g.k && col < g.n ? g.b(p0 + y, col) : T(0);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < BK; ++p) sum += a[y][p] * b[p][x];
  }
  if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

template <class C>
requires Gemm::wide<C>
void missing_barrier(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, BN);
  launch(ctx, ceil_div(g.m, BM) * tiles_per_row, kThreads, 0, missing_barrier_block<C>, g, tiles_per_row);
}

REGISTER(Gemm, missing_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
