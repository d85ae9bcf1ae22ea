#pragma once
// How many elements a predicate keeps, before anything is moved: what a partition needs, which puts the others behind them.

#include "lib/ops/select/contract.h"
#include "tandem/device/block.cuh"
#include "tandem/device/packs.cuh"

namespace tandem {

constexpr int kCountThreads = 512;
/// Of a multiprocessor: compilers give every byte of a pack a register.
template <class T>
constexpr int kCountBlocks = sizeof(T) == 1 ? 2 : 4;

template <class C>
__global__ void __launch_bounds__(kCountThreads, kCountBlocks<typename C::T>)
    count_kept_elements(typename C::Args a) {
  using Word = unsigned long long;
  Word kept = 0;
  for_each_packed<kCountThreads>(a.in, a.n, blockIdx.x, gridDim.x,
                                 [&](typename C::T x) { kept += a.range(x); });
  kept = warp_reduce<Plus>(kept);
  if (threadIdx.x % kWarp == 0) atomicAdd(reinterpret_cast<Word*>(a.count), kept);
}

/// count[0] becomes how many elements of `in` the predicate keeps.
template <class C>
void count_kept(const typename C::Args& a, Context& ctx) {
  constexpr int kTile = kCountThreads * kPacksAtOnce * Pack<typename C::T>::kSize;
  ctx.fill(a.count, 0, sizeof *a.count);
  const std::int64_t most = std::int64_t{kCountBlocks<typename C::T>} * ctx.multiprocessors();
  launch(ctx, std::min(ceil_div(a.n, kTile), most), kCountThreads, 0, count_kept_elements<C>, a);
}

}  // namespace tandem
