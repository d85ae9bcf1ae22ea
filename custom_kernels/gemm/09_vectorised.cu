// Idea:    a block computes BM × BN results from tiles in shared memory; each thread keeps TM × TN of them in
//          registers.
// New:     against block_tile, all accesses are 16 bytes wide: a thread's results are packs of neighbours.
//          K-major operands (contiguous along k) are transposed on their way through registers.
// Expect:  the same bytes with a quarter of the loads and stores for floats, half for doubles: 2 loads of
//          floats from shared memory serve 16 multiply-adds.
// Limits:  unaligned lines are loaded element by element, and the transposing store writes that way, with
//          two-way bank conflicts. Between two barriers a block either loads or computes.
// Source:  Boehm 2022, "How to optimize a CUDA matmul kernel": kernel 6.

#include "custom_kernels/gemm/detail/tile_loader.cuh"
#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
constexpr int kThreads = BM / TM * (BN / TN);

template <class C, bool kKMajorA, bool kKMajorB>
__global__ void __launch_bounds__(kThreads) vectorised_block(typename C::Args g, std::int64_t tiles_per_row,
                                                             bool aligned_a, bool aligned_b, bool aligned_c) {
  using T = typename C::T;
  constexpr int kSize = Pack<T>::kSize;
  using LoaderA = TileLoader<T, BM, BK, kThreads, kKMajorA>;
  using LoaderB = TileLoader<T, BN, BK, kThreads, kKMajorB>;
  __shared__ typename LoaderA::Buffer a;  // (BK, BM)
  __shared__ typename LoaderB::Buffer b;  // (BK, BN)
  const int x = threadIdx.x % (BN / TN), y = threadIdx.x / (BN / TN);
  const std::int64_t row0 = blockIdx.x / tiles_per_row * BM, col0 = blockIdx.x % tiles_per_row * BN;
  const std::int64_t lda = kKMajorA ? g.a.row : g.a.col, ldb = kKMajorB ? g.b.col : g.b.row;

  LoaderA loader_a;
  LoaderB loader_b;
  T sum[TM][TN] = {};  // (TM, TN)
  for (std::int64_t p0 = 0; p0 < g.k; p0 += BK) {
    loader_a.load(g.a.data, lda, row0, g.m, p0, g.k, aligned_a);
    loader_b.load(g.b.data, ldb, col0, g.n, p0, g.k, aligned_b);
    loader_a.store(a);
    loader_b.store(b);
    __syncthreads();
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
void vectorised(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, BN);
  const std::int64_t tiles = ceil_div(g.m, BM) * tiles_per_row;
  for_layouts(g, [&]<bool kKMajorA, bool kKMajorB>() {
    launch(ctx, tiles, kThreads, 0, vectorised_block<C, kKMajorA, kKMajorB>, g, tiles_per_row,
           lines_aligned(g.a.data, kKMajorA ? g.a.row : g.a.col),
           lines_aligned(g.b.data, kKMajorB ? g.b.col : g.b.row), lines_aligned(g.c, g.ldc));
  });
}

REGISTER(Gemm, vectorised, .note = "block_tile with 16-byte loads and stores")

}  // namespace
}  // namespace tandem
