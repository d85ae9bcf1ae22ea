// Idea:    two shared buffers per operand: while the block computes with one tile, the loads of the next are
//          in flight.
// New:     against large_thread_tile, load and store of a tile are apart: the loader's registers are filled
//          before the multiply-adds and stored into the other buffer after them.
// Expect:  the multiply-adds of a whole tile hide the latency of global memory. One barrier per tile is
//          enough, because no thread still reads the buffer that is written.
// Limits:  the 16 × 16 arrangement of the threads makes a warp read 2 + 16 different packs per step of k.
// Source:  Tan et al. 2011, "Fast implementation of DGEMM on Fermi GPU"; Boehm 2022: "double buffering".

#include "custom_kernels/gemm/detail/tile_loader.cuh"
#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int BM = 128, BK = 8, TM = 8;
constexpr int kThreads = BM / TM * 16;

template <class C, int BN, int TN, bool kKMajorA, bool kKMajorB>
__global__ void __launch_bounds__(kThreads)
    double_buffered_block(typename C::Args g, std::int64_t tiles_per_row, bool aligned_a, bool aligned_b,
                          bool aligned_c) {
  using T = typename C::T;
  constexpr int kSize = Pack<T>::kSize;
  using LoaderA = TileLoader<T, BM, BK, kThreads, kKMajorA>;
  using LoaderB = TileLoader<T, BN, BK, kThreads, kKMajorB>;
  __shared__ typename LoaderA::Buffer a0;  // (BK, BM)
  __shared__ typename LoaderA::Buffer a1;  // (BK, BM)
  __shared__ typename LoaderB::Buffer b0;  // (BK, BN)
  __shared__ typename LoaderB::Buffer b1;  // (BK, BN)
  const int x = threadIdx.x % (BN / TN), y = threadIdx.x / (BN / TN);
  const std::int64_t row0 = blockIdx.x / tiles_per_row * BM, col0 = blockIdx.x % tiles_per_row * BN;
  const std::int64_t lda = kKMajorA ? g.a.row : g.a.col, ldb = kKMajorB ? g.b.col : g.b.row;

  LoaderA loader_a;
  LoaderB loader_b;
  const auto load = [&](std::int64_t p0) {
    loader_a.load(g.a.data, lda, row0, g.m, p0, g.k, aligned_a);
    loader_b.load(g.b.data, ldb, col0, g.n, p0, g.k, aligned_b);
  };
  T sum[TM][TN] = {};  // (TM, TN)
  const auto multiply = [&](auto& a, auto& b) {
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      Pack<T> frag_a[TM / kSize], frag_b[TN / kSize];  // (TM), (TN)
#pragma unroll
      for (int i = 0; i < TM / kSize; ++i) frag_a[i] = a[p * LoaderA::kPitch + y + i * (BM / TM)];
#pragma unroll
      for (int j = 0; j < TN / kSize; ++j) frag_b[j] = b[p * LoaderB::kPitch + x + j * (BN / TN)];
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j)
          sum[i][j] += frag_a[i / kSize].values[i % kSize] * frag_b[j / kSize].values[j % kSize];
      }
    }
  };

  load(0);
  loader_a.store(a0);
  loader_b.store(b0);
  __syncthreads();
  for (std::int64_t p0 = 0; p0 < g.k; p0 += 2 * BK) {
    if (p0 + BK < g.k) load(p0 + BK);
    multiply(a0, b0);
    if (p0 + BK >= g.k) break;
    loader_a.store(a1);
    loader_b.store(b1);
    __syncthreads();
    if (p0 + 2 * BK < g.k) load(p0 + 2 * BK);
    multiply(a1, b1);
    if (p0 + 2 * BK >= g.k) break;
    loader_a.store(a0);
    loader_b.store(b0);
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const std::int64_t row = row0 + (i / kSize * (BM / TM) + y) * kSize + i % kSize;
    if (row >= g.m) continue;
#pragma unroll
    for (int j = 0; j < TN; j += kSize) {
      const std::int64_t col = col0 + (j / kSize * (BN / TN) + x) * kSize;
      Pack<T> c = g.beta == T(0) ? Pack<T>{} : load_pack(g.c + row * g.ldc, col, g.n, aligned_c);
#pragma unroll
      for (int e = 0; e < kSize; ++e) C::update(c.values[e], sum[i][j + e], g.alpha, g.beta);
      store_pack(g.c + row * g.ldc, col, g.n, aligned_c, c);
    }
  }
}

template <class C>
requires Gemm::wide<C>
void double_buffered(const typename C::Args& g, Context& ctx) {
  constexpr int TN = 32 / sizeof(typename C::T), BN = 16 * TN;  // a double takes two registers
  const std::int64_t tiles_per_row = ceil_div(g.n, BN);
  const std::int64_t tiles = ceil_div(g.m, BM) * tiles_per_row;
  for_layouts(g, [&]<bool kKMajorA, bool kKMajorB>() {
    launch(ctx, tiles, kThreads, 0, double_buffered_block<C, BN, TN, kKMajorA, kKMajorB>, g, tiles_per_row,
           lines_aligned(g.a.data, kKMajorA ? g.a.row : g.a.col),
           lines_aligned(g.b.data, kKMajorB ? g.b.col : g.b.row), lines_aligned(g.c, g.ldc));
  });
}

REGISTER(Gemm, double_buffered, .note = "two shared buffers: the next tile loads while this one is used")

}  // namespace
}  // namespace tandem
