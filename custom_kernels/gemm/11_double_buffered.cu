// Idea:    two sets of tiles: while the block computes with one, the loads of the next are in flight, and one
//          barrier per tile is enough.
// New:     against block_tile, 16-byte accesses everywhere; 8 × 8 results per thread, so that 4 loads from
//          shared memory serve 64 multiply-adds; loading and computing overlap.
// Expect:  the multiply-adds become most of the instructions: 64 of about 70 for a step of k.
// Limits:  the 16 × 16 arrangement of the threads makes a warp read 2 + 16 different packs for each step of
//          k.
// Source:  Tan et al. 2011, "Fast implementation of DGEMM on Fermi GPU"; Boehm 2022: kernels 6 to 9.

#include "custom_kernels/gemm/detail/tile_loader.cuh"
#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kLanes = 16;  // threads along either side of the tile of C
constexpr int kDepth = 8;   // steps of k in a tile
constexpr int kRows = 8;    // results of a thread: packs of neighbours, kLanes packs apart
template <class T>
constexpr int kCols = 32 / sizeof(T);
constexpr int kBlockM = kRows * kLanes;
template <class T>
constexpr int kBlockN = kCols<T>* kLanes;

template <class C, bool kAAlongK, bool kBAlongK>
__global__ void __launch_bounds__(kThreads)
    double_buffered_block(typename C::Args g, std::int64_t tiles_per_row, bool aligned_a, bool aligned_b,
                          bool aligned_c) {
  using T = typename C::T;
  constexpr int kSize = Pack<T>::kSize;
  using LoaderA = TileLoader<T, kBlockM, kDepth, kThreads, kAAlongK>;
  using LoaderB = TileLoader<T, kBlockN<T>, kDepth, kThreads, kBAlongK>;
  __shared__ typename LoaderA::Buffer a0;
  __shared__ typename LoaderA::Buffer a1;
  __shared__ typename LoaderB::Buffer b0;
  __shared__ typename LoaderB::Buffer b1;
  const int x = threadIdx.x % kLanes, y = threadIdx.x / kLanes;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kBlockM,
                     col0 = blockIdx.x % tiles_per_row * kBlockN<T>;
  const std::int64_t lda = kAAlongK ? g.a.row : g.a.col, ldb = kBAlongK ? g.b.col : g.b.row;

  LoaderA loader_a;
  LoaderB loader_b;
  const auto load = [&](std::int64_t p0) {
    loader_a.load(g.a.data, lda, row0, g.m, p0, g.k, aligned_a);
    loader_b.load(g.b.data, ldb, col0, g.n, p0, g.k, aligned_b);
  };
  T sum[kRows][kCols<T>] = {};
  const auto multiply = [&](auto& a, auto& b) {
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      Pack<T> left[kRows / kSize], right[kCols<T> / kSize];
#pragma unroll
      for (int i = 0; i < kRows / kSize; ++i) left[i] = a[p * LoaderA::kPitch + y + i * kLanes];
#pragma unroll
      for (int j = 0; j < kCols<T> / kSize; ++j) right[j] = b[p * LoaderB::kPitch + x + j * kLanes];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int j = 0; j < kCols<T>; ++j)
          sum[i][j] += left[i / kSize].values[i % kSize] * right[j / kSize].values[j % kSize];
      }
    }
  };

  load(0);
  loader_a.store(a0);
  loader_b.store(b0);
  __syncthreads();
  for (std::int64_t p0 = 0; p0 < g.k; p0 += 2 * kDepth) {
    if (p0 + kDepth < g.k) load(p0 + kDepth);
    multiply(a0, b0);
    if (p0 + kDepth >= g.k) break;
    loader_a.store(a1);
    loader_b.store(b1);
    __syncthreads();
    if (p0 + 2 * kDepth < g.k) load(p0 + 2 * kDepth);
    multiply(a1, b1);
    if (p0 + 2 * kDepth >= g.k) break;
    loader_a.store(a0);
    loader_b.store(b0);
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const std::int64_t row = row0 + (i / kSize * kLanes + y) * kSize + i % kSize;
    if (row >= g.m) continue;
#pragma unroll
    for (int j = 0; j < kCols<T>; j += kSize) {
      const std::int64_t col = col0 + (j / kSize * kLanes + x) * kSize;
      Pack<T> c = g.beta == T(0) ? Pack<T>{} : load_pack(g.c + row * g.ldc, col, g.n, aligned_c);
#pragma unroll
      for (int e = 0; e < kSize; ++e) C::update(c.values[e], sum[i][j + e], g.alpha, g.beta);
      store_pack(g.c + row * g.ldc, col, g.n, aligned_c, c);
    }
  }
}

template <class C>
void double_buffered(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles_per_row = ceil_div(g.n, kBlockN<T>);
  const std::int64_t tiles = ceil_div(g.m, kBlockM) * tiles_per_row;
  for_layouts(g, [&]<bool kAAlongK, bool kBAlongK>() {
    launch(ctx, tiles, kThreads, 0, double_buffered_block<C, kAAlongK, kBAlongK>, g, tiles_per_row,
           lines_aligned(g.a.data, kAAlongK ? g.a.row : g.a.col),
           lines_aligned(g.b.data, kBAlongK ? g.b.col : g.b.row), lines_aligned(g.c, g.ldc));
  });
}

REGISTER(Gemm, double_buffered, .note = "two sets of tiles, 16-byte accesses, 8 x 8 results per thread")

}  // namespace
}  // namespace tandem
