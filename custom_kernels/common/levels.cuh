#pragma once
// Host side of the reductions whose blocks each leave one partial result: the partial results are reduced by the same
// kernel, level by level, until one is left.

#include <cmath>

#include "custom_kernels/common/kernel.cuh"

namespace tandem {

template <class Pointer>
using element_at = std::remove_cv_t<std::remove_pointer_t<Pointer>>;

/// Calls level(in, n, blocks, partial) until one value is left; a block takes `tile` elements. The first level reads
/// elements, the later ones partial results, and the last one writes to args.out.
template <class C, class Level>
void reduce_in_levels(const typename C::Args& args, Context& ctx, std::int64_t tile, Level level) {
  using Acc = typename C::Acc;
  std::int64_t blocks = ceil_div(args.n, tile);
  Acc* partial = blocks == 1 ? args.out : ctx.scratch<Acc>(blocks);
  level(args.in, args.n, blocks, partial);
  while (blocks > 1) {
    const std::int64_t n = blocks;
    const Acc* in = partial;
    blocks = ceil_div(n, tile);
    partial = blocks == 1 ? args.out : ctx.scratch<Acc>(blocks);
    level(in, n, blocks, partial);
  }
}

/// Longest chain of roundings: a tree of log2(Tile) additions per level.
template <int Tile>
double depth_of_levels(std::int64_t n) {
  const double tree = std::log2(static_cast<double>(Tile));
  double depth = tree;
  for (std::int64_t blocks = ceil_div(n, Tile); blocks > 1; blocks = ceil_div(blocks, Tile)) depth += tree;
  return depth;
}

}  // namespace tandem
