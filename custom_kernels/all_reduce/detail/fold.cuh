#pragma once
// What the steps share: adding up in rank order, and launching piece by piece where an array is larger than the room.

#include <algorithm>

#include "lib/dist/peer_contract.h"
#include "tandem/device/peers.cuh"

namespace tandem {

/// Called by a thread: op over the packs of all ranks, in rank order. of(r): that of rank r.
template <class C, class Pack, class Of>
__device__ Pack fold(int ranks, Of of) {
  typename C::Acc totals[Pack::kSize];
  Pack pack = of(0);
#pragma unroll
  for (int k = 0; k < Pack::kSize; ++k) totals[k] = C::load(pack.values[k]);
  for (int r = 1; r < ranks; ++r) {
    pack = of(r);
#pragma unroll
    for (int k = 0; k < Pack::kSize; ++k) totals[k] = typename C::Op{}(totals[k], C::load(pack.values[k]));
  }
#pragma unroll
  for (int k = 0; k < Pack::kSize; ++k) pack.values[k] = static_cast<typename C::T>(totals[k]);
  return pack;
}

/// A launch for each piece of at most `most` elements: kernel(peers, in, out, n). `items` of them are a thread's at once.
template <class C>
void launch_pieces(Context& ctx, const typename C::Args& a, std::int64_t most, int threads,
                   std::int64_t items,
                   void (*kernel)(Peers, const typename C::T*, typename C::T*, std::int64_t)) {
  for (std::int64_t begin = 0; begin < a.n; begin += most) {
    const std::int64_t n = std::min(most, a.n - begin);
    const std::int64_t blocks = std::min<std::int64_t>(a.peers.blocks, ceil_div(n, items * threads));
    launch_together(ctx, blocks, threads, 0, kernel, a.peers, a.in + begin, a.out + begin, n);
  }
}

}  // namespace tandem
