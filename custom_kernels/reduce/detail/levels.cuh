#pragma once
// Host side of reductions in which each block reduces one tile to a partial result: the same kernel reduces
// the partial results, level by level, until one is left.

#include <type_traits>

#include "lib/core/depth.h"
#include "tandem/device/launch.cuh"

namespace tandem {

template <class Pointer>
using element_at = std::remove_cv_t<std::remove_pointer_t<Pointer>>;

/// Calls level(in, n, blocks, partial) until one value is left; a block reduces a tile of `tile` elements.
/// The first level reads elements, the later ones partial results, and the last one writes to args.out.
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

template <class C>
__global__ void copy_operands(const typename C::T* in, std::int64_t n, typename C::Acc* values) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) values[i] = C::load(in[i]);
}

/// As reduce_in_levels, for kernels that overwrite their input: they get a copy of the elements, already
/// converted to operands. Calls level(values, n, blocks, partial).
template <class C, class Level>
void reduce_copy_in_levels(const typename C::Args& args, Context& ctx, std::int64_t tile, Level level) {
  using Acc = typename C::Acc;
  constexpr int kCopyThreads = 256;
  Acc* values = ctx.scratch<Acc>(args.n);
  launch(ctx, ceil_div(args.n, kCopyThreads), kCopyThreads, 0, copy_operands<C>, args.in, args.n, values);
  std::int64_t n = args.n, blocks;
  do {
    blocks = ceil_div(n, tile);
    Acc* partial = blocks == 1 ? args.out : ctx.scratch<Acc>(blocks);
    level(values, n, blocks, partial);
    values = partial;
    n = blocks;
  } while (blocks > 1);
}

}  // namespace tandem
