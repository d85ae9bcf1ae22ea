// Idea:    a thread computes TM × TN results, kept in registers, straight from global memory, and loads the
//          inputs of kInputs steps of k before it multiplies any.
// New:     against register_tile, kInputs times as many loads are in flight at once.
// Expect:  the same loads and multiply-adds, but one stall on the latency of a load per kInputs steps of k.
//          With A row-major, a thread's kInputs elements of a row are contiguous.
// Limits:  (TM + TN) · kInputs registers for the inputs, at the cost of occupancy (tuning/inputs.cu).
// Source:  Volkov 2010, "Better performance at lower occupancy".

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kWarp = 32;  // the lanes of a warp lie along N

template <int TM>
constexpr int BM = TM* kThreads / kWarp;  // the warps of a block lie along M
template <int TN>
constexpr int BN = TN* kWarp;

/// Columns of a thread are kApart apart: kWarp, so that lanes read neighbours, or 1.
template <class C, int TM, int TN, int kInputs, int kApart = kWarp>
__global__ void __launch_bounds__(kThreads)
    input_registers_thread(typename C::Args g, std::int64_t tiles_per_row) {
  static_assert(kApart == kWarp || kApart == 1);
  using T = typename C::T;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * BM<TM> + threadIdx.x / kWarp * TM;
  const std::int64_t col0 =
      blockIdx.x % tiles_per_row * BN<TN> + threadIdx.x % kWarp * (kApart == 1 ? TN : 1);
  if (row0 >= g.m || col0 >= g.n) return;

  // Rows and columns beyond the edge repeat the last one; their results are not written.
  const T* a[TM];  // (TM), rows of A
  const T* b[TN];  // (TN), columns of B
#pragma unroll
  for (int i = 0; i < TM; ++i) a[i] = &g.a(min(row0 + i, g.m - 1), 0);
#pragma unroll
  for (int j = 0; j < TN; ++j) b[j] = &g.b(0, min(col0 + j * kApart, g.n - 1));
  T sum[TM][TN] = {};  // (TM, TN)
#pragma unroll 1
  for (std::int64_t p = 0; p < g.k; p += kInputs) {
    T frag_a[kInputs][TM], frag_b[kInputs][TN];  // (kInputs, TM), (kInputs, TN)
#pragma unroll
    for (int q = 0; q < kInputs; ++q) {
      const bool inside = p + q < g.k;  // beyond the end of k, zeros add nothing
#pragma unroll
      for (int i = 0; i < TM; ++i) frag_a[q][i] = inside ? a[i][(p + q) * g.a.col] : T(0);
#pragma unroll
      for (int j = 0; j < TN; ++j) frag_b[q][j] = inside ? b[j][(p + q) * g.b.row] : T(0);
    }
#pragma unroll
    for (int q = 0; q < kInputs; ++q) {
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += frag_a[q][i] * frag_b[q][j];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const std::int64_t row = row0 + i, col = col0 + j * kApart;
      if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum[i][j], g.alpha, g.beta);
    }
  }
}

template <class C, int TM = 4, int TN = 4, int kInputs = 4, int kApart = kWarp>
requires Gemm::wide<C>
void input_registers(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, BN<TN>);
  const std::int64_t blocks = ceil_div(g.m, BM<TM>) * tiles_per_row;
  launch(ctx, blocks, kThreads, 0, input_registers_thread<C, TM, TN, kInputs, kApart>, g, tiles_per_row);
}

REGISTER(Gemm, input_registers, .note = "register_tile, with the inputs of 4 steps of k loaded ahead")

}  // namespace
}  // namespace tandem
