// Idea:    the threads of a warp lie in 4 × 8 and own a tile of C of their own, 32 × 64 floats.
// New:     against double_buffered, a warp reads 4 + 8 packs of neighbours for each half of its results, where it
//          read 1 + 16: each byte that leaves shared memory serves more lanes. Blocks walk over C in bands, so that
//          those running at one time share their rows of A and columns of B in the L2 cache.
// Expect:  shared memory no longer in the way: the multiply-adds set the pace.
// Limits:  every load from global memory passes through registers and costs instructions of the same warps.
// Source:  Kerr et al. 2017, "CUTLASS: fast linear algebra in CUDA C++": warp tiles.

#include "custom_kernels/common/gemm_tile.cuh"
#include "custom_kernels/common/kernel.cuh"
#include "lib/ops/gemm.h"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kDepth = 8;                // steps of k in a tile
constexpr int kLanesM = 4, kLanesN = 8;  // threads of a warp along the sides of its tile
constexpr int kWarpsM = 2, kWarpsN = 2;  // warps of a block
constexpr int kRows = 8;  // results of a thread: packs of neighbours, as many packs apart as lanes
template <class T>
constexpr int kCols = 32 / sizeof(T);
constexpr int kBlockM = kRows * kLanesM * kWarpsM;
template <class T>
constexpr int kBlockN = kCols<T>* kLanesN* kWarpsN;
constexpr int kBand = 8;  // rows of tiles in a band

template <class C, bool kAAlongK, bool kBAlongK>
__global__ void __launch_bounds__(kThreads, 3)
    warp_tile_block(typename C::Args g, std::int64_t tiles_per_row, bool aligned_a, bool aligned_b,
                    bool aligned_c) {
  using T = typename C::T;
  constexpr int kSize = Pack<T>::kSize;
  using LoaderA = TileLoader<T, kBlockM, kDepth, kThreads, kAAlongK>;
  using LoaderB = TileLoader<T, kBlockN<T>, kDepth, kThreads, kBAlongK>;
  __shared__ typename LoaderA::Shared a0;
  __shared__ typename LoaderA::Shared a1;
  __shared__ typename LoaderB::Shared b0;
  __shared__ typename LoaderB::Shared b1;
  // In packs from the start of the block's tile.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y = warp / kWarpsN * (kRows * kLanesM / kSize) + lane / kLanesN;
  const int x = warp % kWarpsN * (kCols<T> * kLanesN / kSize) + lane % kLanesN;
  // Tiles are numbered down the columns of a band.
  const std::int64_t band = blockIdx.x / (kBand * tiles_per_row),
                     in_band = blockIdx.x % (kBand * tiles_per_row);
  const std::int64_t height = min(std::int64_t{kBand}, ceil_div(g.m, kBlockM) - band * kBand);
  const std::int64_t row0 = (band * kBand + in_band % height) * kBlockM, col0 = in_band / height * kBlockN<T>;
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
      for (int i = 0; i < kRows / kSize; ++i) left[i] = a[p * LoaderA::kPitch + y + i * kLanesM];
#pragma unroll
      for (int j = 0; j < kCols<T> / kSize; ++j) right[j] = b[p * LoaderB::kPitch + x + j * kLanesN];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int s = 0; s < kCols<T>; ++s) {
          const int j =
              i % 2 ? kCols<T> - 1 - s : s;  // to and fro: neighbouring instructions share an operand
          sum[i][j] += left[i / kSize].values[i % kSize] * right[j / kSize].values[j % kSize];
        }
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
    const std::int64_t row = row0 + (i / kSize * kLanesM + y) * kSize + i % kSize;
    if (row >= g.m) continue;
#pragma unroll
    for (int j = 0; j < kCols<T>; j += kSize) {
      const std::int64_t col = col0 + (j / kSize * kLanesN + x) * kSize;
      Pack<T> c = g.beta == T(0) ? Pack<T>{} : load_pack(g.c + row * g.ldc, col, g.n, aligned_c);
#pragma unroll
      for (int e = 0; e < kSize; ++e) C::update(c.values[e], sum[i][j + e], g.alpha, g.beta);
      store_pack(g.c + row * g.ldc, col, g.n, aligned_c, c);
    }
  }
}

template <class C>
void warp_tile(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles_per_row = ceil_div(g.n, kBlockN<T>);
  const std::int64_t tiles = ceil_div(g.m, kBlockM) * tiles_per_row;
  for_layouts(g, [&]<bool kAAlongK, bool kBAlongK>() {
    launch(ctx, tiles, kThreads, 0, warp_tile_block<C, kAAlongK, kBAlongK>, g, tiles_per_row,
           lines_aligned(g.a.data, kAAlongK ? g.a.row : g.a.col),
           lines_aligned(g.b.data, kBAlongK ? g.b.col : g.b.row), lines_aligned(g.c, g.ldc));
  });
}

REGISTER(Gemm, warp_tile, .note = "a tile for each warp, threads in 4 x 8; bands that share the L2 cache")

}  // namespace
}  // namespace tandem
