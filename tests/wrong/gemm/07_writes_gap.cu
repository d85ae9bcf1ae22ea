// Wrong:   writes results beyond the last column into the gap.
// Caught:  gaps between lines must stay as they are.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
constexpr int kThreads = BM / TM * (BN / TN);
static_assert(BM == BN);  // one loop and one pitch for both tiles

template <class C>
__global__ void __launch_bounds__(kThreads) writes_gap_block(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  // A is transposed and written along k: an odd pitch spreads it over the banks.
  constexpr int kPitch = BM + 1;
  __shared__ Shared<T, BK * kPitch> a;  // (BK, BM)
  __shared__ Shared<T, BK * kPitch> b;  // (BK, BN)
  const int x = threadIdx.x % (BN / TN), y = threadIdx.x / (BN / TN);
  const std::int64_t row0 = blockIdx.x / tiles_per_row * BM, col0 = blockIdx.x % tiles_per_row * BN;
  T sum[TM][TN] = {};  // (TM, TN)
  for (std::int64_t p0 = 0; p0 < g.k; p0 += BK) {
#pragma unroll
    for (int t = threadIdx.x; t < BM * BK; t += kThreads) {
      // Zeros beyond the edges add nothing.
      const int i = t / BK, p = t % BK, q = t / BN, j = t % BN;
      a[p * kPitch + i] = row0 + i < g.m && p0 + p < g.k ? g.a(row0 + i, p0 + p) : T(0);
      b[q * kPitch + j] = p0 + q < g.k && col0 + j < g.n ? g.b(p0 + q, col0 + j) : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      T frag_a[TM], frag_b[TN];  // (TM), (TN)
#pragma unroll
      for (int i = 0; i < TM; ++i) frag_a[i] = a[p * kPitch + y + i * (BM / TM)];
#pragma unroll
      for (int j = 0; j < TN; ++j) frag_b[j] = b[p * kPitch + x + j * (BN / TN)];
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += frag_a[i] * frag_b[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const std::int64_t row = row0 + y + i * (BM / TM), col = col0 + x + j * (BN / TN);
      if (row < g.m && col < g.ldc) C::update(g.c[row * g.ldc + col], sum[i][j], g.alpha, g.beta);
    }
  }
}

template <class C>
requires Gemm::wide<C>
void writes_gap(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, BN);
  launch(ctx, ceil_div(g.m, BM) * tiles_per_row, kThreads, 0, writes_gap_block<C>, g, tiles_per_row);
}

REGISTER(Gemm, writes_gap, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
