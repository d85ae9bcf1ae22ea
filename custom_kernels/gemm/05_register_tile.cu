// Idea:    a thread computes TM × TN results, kept in registers, straight from global memory.
// New:     against coalesced, an element of A serves TN multiply-adds and one of B serves TM.
// Expect:  TM + TN loads for TM · TN multiply-adds: 8 for 16. The warps of a block lie along M, so a line of
//          B that one of them fetches is in the L1 cache for the others. Larger tiles load less but need more
//          registers, which leaves fewer threads to hide the latency of the loads (tuning/tile.cu).
// Limits:  each warp still loads for itself what its neighbours load too.
// Source:  Volkov, Demmel 2008, "Benchmarking GPUs to tune dense linear algebra".

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kWarp = 32;  // the lanes of a warp lie along N: the columns of a thread are kWarp apart

template <int TM>
constexpr int BM = TM* kThreads / kWarp;  // the warps of a block lie along M
template <int TN>
constexpr int BN = TN* kWarp;

template <class C, int TM, int TN>
__global__ void __launch_bounds__(kThreads)
    register_tile_thread(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * BM<TM> + threadIdx.x / kWarp * TM;
  const std::int64_t col0 = blockIdx.x % tiles_per_row * BN<TN> + threadIdx.x % kWarp;
  if (row0 >= g.m || col0 >= g.n) return;

  // Rows and columns beyond the edge repeat the last one; their results are not written.
  const T* a[TM];  // (TM), rows of A
  const T* b[TN];  // (TN), columns of B
#pragma unroll
  for (int i = 0; i < TM; ++i) a[i] = &g.a(min(row0 + i, g.m - 1), 0);
#pragma unroll
  for (int j = 0; j < TN; ++j) b[j] = &g.b(0, min(col0 + j * kWarp, g.n - 1));
  T sum[TM][TN] = {};  // (TM, TN)
#pragma unroll 1
  for (std::int64_t p = 0; p < g.k; ++p) {
    T frag_a[TM], frag_b[TN];  // (TM), (TN)
#pragma unroll
    for (int i = 0; i < TM; ++i) frag_a[i] = a[i][p * g.a.col];
#pragma unroll
    for (int j = 0; j < TN; ++j) frag_b[j] = b[j][p * g.b.row];
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < TN; ++j) sum[i][j] += frag_a[i] * frag_b[j];
    }
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const std::int64_t row = row0 + i, col = col0 + j * kWarp;
      if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum[i][j], g.alpha, g.beta);
    }
  }
}

template <class C, int TM = 4, int TN = 4>
requires Gemm::wide<C>
void register_tile(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, BN<TN>);
  const std::int64_t blocks = ceil_div(g.m, BM<TM>) * tiles_per_row;
  launch(ctx, blocks, kThreads, 0, register_tile_thread<C, TM, TN>, g, tiles_per_row);
}

REGISTER(Gemm, register_tile, .note = "4 x 4 results per thread, straight from global memory")

}  // namespace
}  // namespace tandem
