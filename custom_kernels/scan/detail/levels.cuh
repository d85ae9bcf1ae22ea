#pragma once
// Host side of scans in which each block scans one tile: the same kernel scans the totals of the tiles, level
// by level, until one tile holds them all; then the prefix of each tile is prepended to its results.

#include "lib/core/depth.h"
#include "tandem/device/launch.cuh"

namespace tandem {

constexpr int kPrependThreads = 256;

/// Block b updates tile b: out[i] = before[b] ∘ out[i].
template <class C>
__global__ void prepend_to_tiles(typename C::T* out, std::int64_t n, int tile, const typename C::T* before) {
  const std::int64_t base = std::int64_t(blockIdx.x) * tile;
  const auto first = before[blockIdx.x];
  for (int t = threadIdx.x; t < tile; t += kPrependThreads) {
    if (base + t < n) out[base + t] = typename C::Op{}(first, out[base + t]);
  }
}

/// Scans with kernel(in, n, out, exclusive, init, totals), whose block b of `threads` threads scans tile b
/// and writes its total, without init, to totals[b]. Only the last level, which has one tile, starts from
/// init: its results carry init to all tiles.
template <class C, class Kernel>
void scan_in_levels(const typename C::Args& a, Context& ctx, int tile, int threads, std::size_t shared_bytes,
                    Kernel kernel) {
  using T = typename C::T;
  const std::int64_t tiles = ceil_div(a.n, tile);
  T* totals = ctx.scratch<T>(tiles);
  const T init = tiles == 1 ? a.init : C::Op::template identity<T>();
  launch(ctx, tiles, threads, shared_bytes, kernel, a.in, a.n, a.out, a.exclusive, init, totals);
  if (tiles == 1) return;
  scan_in_levels<C>({totals, tiles, totals, true, a.init}, ctx, tile, threads, shared_bytes, kernel);
  launch(ctx, tiles, kPrependThreads, 0, prepend_to_tiles<C>, a.out, a.n, tile,
         static_cast<const T*>(totals));
}

}  // namespace tandem
