// Idea:    where C has too few tiles to keep the GPU busy, several blocks share one, each with a slice of
//          k. The last of them to finish adds up all slices, in their order.
// New:     against vectorised, small, thin and long products occupy all multiprocessors; tiles of 32 × 32
//          where there would be too few of 64 × 64, or these would be half empty; the next tiles of A and B are
//          on their way while a block computes.
// Expect:  small products wait for one launch, the loads of a few tiles and the exchange; long ones keep the
//          memory busy. Large square ones have no use for it.
// Limits:  every result is written and read once for each slice, through L2. Deterministic; the bits depend
//          on how many multiprocessors there are. The counters of finished slices live in the context and
//          wrap to 0 by themselves (atomicInc).
// Source:  NVIDIA's CUTLASS, "efficient GEMM": parallelised reductions; the last-block idiom is the
//          threadFenceReduction sample of the CUDA toolkit.

#include <algorithm>

#include "custom_kernels/gemm/detail/tile_loader.cuh"
#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int TM = 4;
template <class T, int kTile>
constexpr int TN = kTile == 64 && sizeof(T) == 4 ? 8 : 4;
template <class T, int kTile>
constexpr int kThreads = kTile / TM*(kTile / TN<T, kTile>);
template <class T>
constexpr int BK = 128 / sizeof(T);
constexpr int kUnskipped = 8;  // steps of k between two questions whether more are needed
/// Blocks on a multiprocessor that registers must suffice for.
template <class T, int kTile>
constexpr int kResident = 384 / kThreads<T, kTile>;

/// Block b computes slice b % slices of tile b / slices; a slice is `depth` elements of k, a multiple of BK.
struct Slices {
  std::int64_t tiles_per_row, depth;
  unsigned slices;
};

template <class C, int kTile, bool kKMajorA, bool kKMajorB>
__global__ void __launch_bounds__(kThreads<typename C::T, kTile>, kResident<typename C::T, kTile>)
    split_k_block(typename C::Args g, Slices cut, bool aligned_a, bool aligned_b, bool aligned_c,
                  Pack<typename C::T>* partial, unsigned* finished) {
  using T = typename C::T;
  constexpr int BM = kTile, BN = kTile, BK = tandem::BK<T>, TN = tandem::TN<T, kTile>,
                kThreads = tandem::kThreads<T, kTile>;
  constexpr int kSize = Pack<T>::kSize, kPacks = TM * TN / kSize;  // kPacks: of a thread's results
  using LoaderA = TileLoader<T, BM, BK, kThreads, kKMajorA>;
  using LoaderB = TileLoader<T, BN, BK, kThreads, kKMajorB>;
  __shared__ typename LoaderA::Buffer a;  // (BK, BM)
  __shared__ typename LoaderB::Buffer b;  // (BK, BN)
  start_early();
  const int x = threadIdx.x % (BN / TN), y = threadIdx.x / (BN / TN);
  const std::int64_t tile = blockIdx.x / cut.slices, slice = blockIdx.x % cut.slices;
  const std::int64_t row0 = tile / cut.tiles_per_row * BM, col0 = tile % cut.tiles_per_row * BN;
  const std::int64_t lda = kKMajorA ? g.a.row : g.a.col, ldb = kKMajorB ? g.b.col : g.b.row;
  const std::int64_t end = min((slice + 1) * cut.depth, g.k);

  LoaderA loader_a;
  LoaderB loader_b;
  const auto load = [&](std::int64_t p0) {
    loader_a.load(g.a.data, lda, row0, g.m, p0, end, aligned_a);
    loader_b.load(g.b.data, ldb, col0, g.n, p0, end, aligned_b);
  };
  Pack<T> sum[TM][TN / kSize] = {};  // (TM, TN)
  std::int64_t p0 = slice * cut.depth;
  if (p0 < end) load(p0);
  for (; p0 < end; p0 += BK) {
    loader_a.store(a);
    loader_b.store(b);
    __syncthreads();
    if (p0 + BK < end) load(p0 + BK);
    const int steps = int(min(end - p0, std::int64_t(BK)));  // short products have fewer than a tile of k
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      if (p % kUnskipped == 0 && p >= steps) break;
      Pack<T> frag_a[TM / kSize], frag_b[TN / kSize];  // (TM), (TN)
#pragma unroll
      for (int i = 0; i < TM / kSize; ++i) frag_a[i] = a[p * LoaderA::kPitch + y + i * (BM / TM)];
#pragma unroll
      for (int j = 0; j < TN / kSize; ++j) frag_b[j] = b[p * LoaderB::kPitch + x + j * (BN / TN)];
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j)
          sum[i][j / kSize].values[j % kSize] +=
              frag_a[i / kSize].values[i % kSize] * frag_b[j / kSize].values[j % kSize];
      }
    }
    __syncthreads();
  }

  if (cut.slices > 1) {
    // Pack e of thread t of slice s, next to that of thread t + 1.
    const auto at = [&](std::int64_t s, int e) {
      return partial + ((tile * cut.slices + s) * kPacks + e) * kThreads + threadIdx.x;
    };
    for (int e = 0; e < kPacks; ++e) *at(slice, e) = sum[e / (TN / kSize)][e % (TN / kSize)];
    __threadfence();
    __shared__ Shared<bool, 1> is_last;
    __syncthreads();
    if (threadIdx.x == 0) is_last[0] = atomicInc(&finished[tile], cut.slices - 1) == cut.slices - 1;
    __syncthreads();
    if (!is_last[0]) return;
    __threadfence();
    for (Pack<T>(&row)[TN / kSize] : sum) {
      for (Pack<T>& pack : row) pack = {};
    }
#pragma unroll 4
    for (unsigned s = 0; s < cut.slices; ++s) {
#pragma unroll
      for (int e = 0; e < kPacks; ++e) {
        const Pack<T> next = *at(s, e);
#pragma unroll
        for (int k = 0; k < kSize; ++k) sum[e / (TN / kSize)][e % (TN / kSize)].values[k] += next.values[k];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const std::int64_t row = row0 + (i / kSize * (BM / TM) + y) * kSize + i % kSize;
    if (row >= g.m) continue;
#pragma unroll
    for (int j = 0; j < TN / kSize; ++j) {
      const std::int64_t col = col0 + (j * (BN / TN) + x) * kSize;
      Pack<T> c = g.beta == T(0) ? Pack<T>{} : load_pack(g.c + row * g.ldc, col, g.n, aligned_c);
#pragma unroll
      for (int e = 0; e < kSize; ++e) C::update(c.values[e], sum[i][j].values[e], g.alpha, g.beta);
      store_pack(g.c + row * g.ldc, col, g.n, aligned_c, c);
    }
  }
}

/// As many slices as give every multiprocessor four blocks, of two tiles of k at least.
template <class C, int kTile>
void multiply(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  constexpr std::int64_t kMostSlices = 32;  // to be added up by one block
  const std::int64_t tiles_per_row = ceil_div(g.n, kTile), tiles = ceil_div(g.m, kTile) * tiles_per_row;
  const std::int64_t tiles_of_k = ceil_div(g.k, BK<T>);
  const std::int64_t wanted = std::clamp<std::int64_t>(
      4 * ctx.multiprocessors() / tiles, 1, std::max<std::int64_t>(1, std::min(tiles_of_k / 2, kMostSlices)));
  const std::int64_t depth = std::max<std::int64_t>(1, ceil_div(tiles_of_k, wanted)) * BK<T>;
  const auto slices = std::max<std::int64_t>(1, ceil_div(g.k, depth));
  Pack<T>* partial = nullptr;
  unsigned* finished = nullptr;
  if (slices > 1) {
    partial = ctx.scratch<Pack<T>>(tiles * slices * kTile * kTile / Pack<T>::kSize);
    finished = ctx.state<unsigned>("gemm/split_k", tiles);
  }
  for_layouts(g, [&]<bool kKMajorA, bool kKMajorB>() {
    launch_early(
        ctx, tiles * slices, kThreads<T, kTile>, 0, split_k_block<C, kTile, kKMajorA, kKMajorB>, g,
        Slices{tiles_per_row, depth, unsigned(slices)}, lines_aligned(g.a.data, kKMajorA ? g.a.row : g.a.col),
        lines_aligned(g.b.data, kKMajorB ? g.b.col : g.b.row), lines_aligned(g.c, g.ldc), partial, finished);
  });
}

template <class C>
requires Gemm::wide<C>
void split_k(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles = ceil_div(g.m, 64) * ceil_div(g.n, 64);
  if (tiles < ctx.multiprocessors() || std::min(g.m, g.n) <= 32)
    multiply<C, 32>(g, ctx);
  else
    multiply<C, 64>(g, ctx);
}

REGISTER(Gemm, split_k,
         .note = "small, thin and long products: several blocks share a tile, each a slice of k")

}  // namespace
}  // namespace tandem
