// Idea:    a warp owns a WM × WN tile of C, 64 × 64 floats, with its lanes arranged in 4 × 8.
// New:     against double_buffered, a warp reads packs of 4 rows and 8 columns at a time, where it read 2 and
//          16: more lanes share each pack that leaves shared memory. 16 × 8 results per thread take 6 loads
//          for 128 multiply-adds; small products get smaller tiles. Blocks walk over C in bands (threadblock
//          swizzle), so that those resident at one time share rows of A and columns of B in the L2 cache.
// Expect:  shared memory bandwidth no longer limits; the multiply-adds do.
// Limits:  every load from global memory is staged in registers and costs issue slots of the same warps.
// Source:  Kerr et al. 2017, "CUTLASS: fast linear algebra in CUDA C++": warp tiles.

#include "custom_kernels/gemm/detail/tile_loader.cuh"
#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int BK = 8;
constexpr int kBand = 8;  // rows of tiles in a band

/// Tile sizes for blocks of kWarpsM × kWarpsN warps.
template <class T, int kTM, int kWarpsM, int kWarpsN>
struct Config {
  static constexpr int TM = kTM, TN = 32 / sizeof(T);
  static constexpr int WM = 4 * TM, WN = 8 * TN;
  static constexpr int BM = kWarpsM * WM, BN = kWarpsN * WN;
  static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
  static constexpr int kBlocks = TM == 8 ? 3 : 1;  // resident on a multiprocessor, limited by registers
};
template <class T>
using Large = Config<T, 16, 2, 4>;  // blocks of 128 x 256 floats
template <class T>
using Small = Config<T, 8, 2, 2>;  // blocks of 64 x 128 floats

template <class C, class Tiles, bool kKMajorA, bool kKMajorB>
__global__ void __launch_bounds__(Tiles::kThreads, Tiles::kBlocks)
    warp_tile_block(typename C::Args g, std::int64_t tiles_per_row, bool aligned_a, bool aligned_b,
                    bool aligned_c) {
  using T = typename C::T;
  constexpr int BM = Tiles::BM, BN = Tiles::BN, WM = Tiles::WM, WN = Tiles::WN, TM = Tiles::TM,
                TN = Tiles::TN;
  constexpr int kSize = Pack<T>::kSize, kThreads = Tiles::kThreads;
  using LoaderA = TileLoader<T, BM, BK, kThreads, kKMajorA>;
  using LoaderB = TileLoader<T, BN, BK, kThreads, kKMajorB>;
  __shared__ typename LoaderA::Buffer a0;  // (BK, BM)
  __shared__ typename LoaderA::Buffer a1;  // (BK, BM)
  __shared__ typename LoaderB::Buffer b0;  // (BK, BN)
  __shared__ typename LoaderB::Buffer b1;  // (BK, BN)
  // The thread's first row and column in the block's tile, in packs.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y = warp / (BN / WN) * (WM / kSize) + lane / (WN / TN);
  const int x = warp % (BN / WN) * (WN / kSize) + lane % (WN / TN);
  // Within a band, tiles are numbered down the columns.
  const std::int64_t band = blockIdx.x / (kBand * tiles_per_row),
                     in_band = blockIdx.x % (kBand * tiles_per_row);
  const std::int64_t height = min(std::int64_t{kBand}, ceil_div(g.m, BM) - band * kBand);
  const std::int64_t row0 = (band * kBand + in_band % height) * BM, col0 = in_band / height * BN;
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
      for (int i = 0; i < TM / kSize; ++i) frag_a[i] = a[p * LoaderA::kPitch + y + i * (WM / TM)];
#pragma unroll
      for (int j = 0; j < TN / kSize; ++j) frag_b[j] = b[p * LoaderB::kPitch + x + j * (WN / TN)];
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int s = 0; s < TN; ++s) {
          const int j = i % 2 ? TN - 1 - s : s;  // to and fro: successive FFMAs share an operand
          sum[i][j] += frag_a[i / kSize].values[i % kSize] * frag_b[j / kSize].values[j % kSize];
        }
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
    const std::int64_t row = row0 + (i / kSize * (WM / TM) + y) * kSize + i % kSize;
    if (row >= g.m) continue;
#pragma unroll
    for (int j = 0; j < TN; j += kSize) {
      const std::int64_t col = col0 + (j / kSize * (WN / TN) + x) * kSize;
      Pack<T> c = g.beta == T(0) ? Pack<T>{} : load_pack(g.c + row * g.ldc, col, g.n, aligned_c);
#pragma unroll
      for (int e = 0; e < kSize; ++e) C::update(c.values[e], sum[i][j + e], g.alpha, g.beta);
      store_pack(g.c + row * g.ldc, col, g.n, aligned_c, c);
    }
  }
}

template <class C, class Tiles>
void launch_tiles(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, Tiles::BN);
  const std::int64_t tiles = ceil_div(g.m, Tiles::BM) * tiles_per_row;
  for_layouts(g, [&]<bool kKMajorA, bool kKMajorB>() {
    launch(ctx, tiles, Tiles::kThreads, 0, warp_tile_block<C, Tiles, kKMajorA, kKMajorB>, g, tiles_per_row,
           lines_aligned(g.a.data, kKMajorA ? g.a.row : g.a.col),
           lines_aligned(g.b.data, kKMajorB ? g.b.col : g.b.row), lines_aligned(g.c, g.ldc));
  });
}

template <class C>
requires Gemm::wide<C>
void warp_tile(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  const std::int64_t large = ceil_div(g.m, Large<T>::BM) * ceil_div(g.n, Large<T>::BN);
  if (large < ctx.multiprocessors() * 3 / 4)  // too few for every multiprocessor
    launch_tiles<C, Small<T>>(g, ctx);
  else
    launch_tiles<C, Large<T>>(g, ctx);
}

REGISTER(Gemm, warp_tile, .note = "a tile for each warp, threads in 4 x 8; bands that share the L2 cache")

}  // namespace
}  // namespace tandem
