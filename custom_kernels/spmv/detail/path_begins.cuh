#pragma once
// Where the tiles of the merge path begin: found, or kept.

#include "custom_kernels/segmented_reduce/detail/path_tile.cuh"
#include "lib/ops/spmv/contract.h"

namespace tandem {

/// Tile t begins at point t · stride, or at the last one.
struct PathBegins {
  const PathPoint* points;
  std::int64_t stride, last;

  __device__ PathPoint operator[](std::int64_t t) const { return points[min(t * stride, last)]; }
};

/// Of tiles of so many items, a multiple of Spmv::kTile: of a kept analysis, else a launch finds them.
template <class C>
PathBegins path_begins(const typename C::Args& a, int items, Context& ctx) {
  const std::int64_t all = a.elements + a.rows.count, tiles = ceil_div(all, items);
  if (a.tiles) return {a.tiles, items / Spmv::kTile, ceil_div(all, Spmv::kTile)};
  return {tile_begins(a.rows, tiles, ctx, items), 1, tiles};
}

}  // namespace tandem
