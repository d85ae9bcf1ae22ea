// Wrong:   no barrier behind the products: the next tile overwrites what others still read.
// Caught:  threads run one after another; k of several tiles.

#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kSide = 32;  // of all tiles
constexpr int kThreads = kSide * kSide;

template <class C>
__global__ void __launch_bounds__(kThreads)
    missing_barrier_block(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  __shared__ Shared<T, kSide * kSide> a;
  __shared__ Shared<T, kSide * kSide> b;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  const std::int64_t row = blockIdx.x / tiles_per_row * kSide + y;
  const std::int64_t col = blockIdx.x % tiles_per_row * kSide + x;
  T sum = 0;
  for (std::int64_t p0 = 0; p0 < g.k; p0 += kSide) {
    // Zeros beyond the edges add nothing.
    a[y * kSide + x] = row < g.m && p0 + x < g.k ? g.a(row, p0 + x) : T(0);
    b[y * kSide + x] = p0 + y < g.k && col < g.n ? g.b(p0 + y, col) : T(0);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kSide; ++p) sum += a[y * kSide + p] * b[p * kSide + x];
  }
  if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

template <class C>
void missing_barrier(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, kSide);
  launch(ctx, ceil_div(g.m, kSide) * tiles_per_row, kThreads, 0, missing_barrier_block<C>, g, tiles_per_row);
}

REGISTER(Gemm, missing_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
