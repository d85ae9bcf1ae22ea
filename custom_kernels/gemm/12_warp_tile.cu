// Idea:    the threads of a warp lie in 4 × 8 and own a tile of C of their own, 64 × 64 floats.
// New:     against double_buffered, a warp reads packs of 4 rows and 8 columns at a time, where it read 2 and
//          16: each byte that leaves shared memory serves more lanes. 16 × 8 results per thread take 6 loads
//          for 128 multiply-adds; small products get smaller tiles. Blocks walk over C in bands, so that
//          those running at one time share their rows of A and columns of B in the L2 cache.
// Expect:  shared memory no longer in the way: the multiply-adds set the pace.
// Limits:  every load from global memory passes through registers and costs instructions of the same warps.
// Source:  Kerr et al. 2017, "CUTLASS: fast linear algebra in CUDA C++": warp tiles.

#include "custom_kernels/gemm/detail/tile_loader.cuh"
#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kDepth = 8;                // steps of k in a tile
constexpr int kLanesM = 4, kLanesN = 8;  // threads of a warp along the sides of its tile
constexpr int kBand = 8;                 // rows of tiles in a band

/// Rows of a thread's results (packs of neighbours, as many packs apart as lanes), and the warps of a block.
template <class T, int kRowsOfThread, int kM, int kN>
struct Config {
  static constexpr int kRows = kRowsOfThread, kWarpsM = kM, kWarpsN = kN, kThreads = 32 * kM * kN;
  static constexpr int kBlocks = kRows == 8 ? 3 : 1;  // at once on a multiprocessor, by their registers
  static constexpr int kCols = 32 / sizeof(T);
  static constexpr int kBlockM = kRows * kLanesM * kWarpsM;
  static constexpr int kBlockN = kCols * kLanesN * kWarpsN;
};
template <class T>
using Large = Config<T, 16, 2, 4>;  // blocks of 128 x 256 floats
template <class T>
using Small = Config<T, 8, 2, 2>;  // blocks of 64 x 128 floats

template <class C, class Tiles, bool kAAlongK, bool kBAlongK>
__global__ void __launch_bounds__(Tiles::kThreads, Tiles::kBlocks)
    warp_tile_block(typename C::Args g, std::int64_t tiles_per_row, bool aligned_a, bool aligned_b,
                    bool aligned_c) {
  using T = typename C::T;
  constexpr int kSize = Pack<T>::kSize, kThreads = Tiles::kThreads, kWarpsN = Tiles::kWarpsN;
  constexpr int kRows = Tiles::kRows, kCols = Tiles::kCols;
  constexpr int kBlockM = Tiles::kBlockM, kBlockN = Tiles::kBlockN;
  using LoaderA = TileLoader<T, kBlockM, kDepth, kThreads, kAAlongK>;
  using LoaderB = TileLoader<T, kBlockN, kDepth, kThreads, kBAlongK>;
  __shared__ typename LoaderA::Buffer a0;
  __shared__ typename LoaderA::Buffer a1;
  __shared__ typename LoaderB::Buffer b0;
  __shared__ typename LoaderB::Buffer b1;
  // In packs from the start of the block's tile.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y = warp / kWarpsN * (kRows * kLanesM / kSize) + lane / kLanesN;
  const int x = warp % kWarpsN * (kCols * kLanesN / kSize) + lane % kLanesN;
  // Tiles are numbered down the columns of a band.
  const std::int64_t band = blockIdx.x / (kBand * tiles_per_row),
                     in_band = blockIdx.x % (kBand * tiles_per_row);
  const std::int64_t height = min(std::int64_t{kBand}, ceil_div(g.m, kBlockM) - band * kBand);
  const std::int64_t row0 = (band * kBand + in_band % height) * kBlockM, col0 = in_band / height * kBlockN;
  const std::int64_t lda = kAAlongK ? g.a.row : g.a.col, ldb = kBAlongK ? g.b.col : g.b.row;

  LoaderA loader_a;
  LoaderB loader_b;
  const auto load = [&](std::int64_t p0) {
    loader_a.load(g.a.data, lda, row0, g.m, p0, g.k, aligned_a);
    loader_b.load(g.b.data, ldb, col0, g.n, p0, g.k, aligned_b);
  };
  T sum[kRows][kCols] = {};
  const auto multiply = [&](auto& a, auto& b) {
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      Pack<T> left[kRows / kSize], right[kCols / kSize];
#pragma unroll
      for (int i = 0; i < kRows / kSize; ++i) left[i] = a[p * LoaderA::kPitch + y + i * kLanesM];
#pragma unroll
      for (int j = 0; j < kCols / kSize; ++j) right[j] = b[p * LoaderB::kPitch + x + j * kLanesN];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int s = 0; s < kCols; ++s) {
          const int j = i % 2 ? kCols - 1 - s : s;  // to and fro: neighbouring instructions share an operand
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
    for (int j = 0; j < kCols; j += kSize) {
      const std::int64_t col = col0 + (j / kSize * kLanesN + x) * kSize;
      Pack<T> c = g.beta == T(0) ? Pack<T>{} : load_pack(g.c + row * g.ldc, col, g.n, aligned_c);
#pragma unroll
      for (int e = 0; e < kSize; ++e) C::update(c.values[e], sum[i][j + e], g.alpha, g.beta);
      store_pack(g.c + row * g.ldc, col, g.n, aligned_c, c);
    }
  }
}

template <class C, class Tiles>
void launch_tiles(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, Tiles::kBlockN);
  const std::int64_t tiles = ceil_div(g.m, Tiles::kBlockM) * tiles_per_row;
  for_layouts(g, [&]<bool kAAlongK, bool kBAlongK>() {
    launch(ctx, tiles, Tiles::kThreads, 0, warp_tile_block<C, Tiles, kAAlongK, kBAlongK>, g, tiles_per_row,
           lines_aligned(g.a.data, kAAlongK ? g.a.row : g.a.col),
           lines_aligned(g.b.data, kBAlongK ? g.b.col : g.b.row), lines_aligned(g.c, g.ldc));
  });
}

template <class C>
void warp_tile(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  const std::int64_t large = ceil_div(g.m, Large<T>::kBlockM) * ceil_div(g.n, Large<T>::kBlockN);
  if (large < ctx.multiprocessors() * 3 / 4)  // too few to go round
    launch_tiles<C, Small<T>>(g, ctx);
  else
    launch_tiles<C, Large<T>>(g, ctx);
}

REGISTER(Gemm, warp_tile, .note = "a tile for each warp, threads in 4 x 8; bands that share the L2 cache")

}  // namespace
}  // namespace tandem
