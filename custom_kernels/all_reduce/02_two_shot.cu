// Idea:    each rank adds up a share of all arrays alone, and stores the totals into every rank's memory: a
//          reduce-scatter, then an all-gather.
// New:     against one_shot, a rank gets of each array only its share, and one flag more for the second exchange.
// Expect:  twice the array leaves a rank, whatever the number of ranks, where one_shot sends it P − 1 times: faster
//          for long arrays of three ranks or more. Two trips over the link: slower for short ones.
// Limits:  as one_shot.
// Source:  Rabenseifner 2004, "Optimization of collective reduction operations".

#include "custom_kernels/all_reduce/detail/fold.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;

template <class C>
__global__ void __launch_bounds__(kThreads, 1)
    add_share_store_totals(const __grid_constant__ Peers peers, const typename C::T* in, typename C::T* out,
                           std::int64_t n) {
  using P = Pack<typename C::T>;
  start_early();
  const std::uint64_t call = begin_call(peers);
  const std::int64_t packs = ceil_div(n, P::kSize), step = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const bool in_aligned = unaligned_head(in, n) == 0, out_aligned = unaligned_head(out, n) == 0;
  // Rank r has the packs from r · share on; in the room, arrived shares stand before the totals.
  const std::int64_t share = ceil_div(packs, peers.ranks);
  const auto length = [&](int r) { return min(share, packs - r * share); };

  for (int k = 0; k < peers.ranks; ++k) {
    const int r = from_here(peers, k);
    P* to = room<P>(peers, r, call, peers.rank * share);
    for (std::int64_t p = first; p < length(r); p += step)
      to[p] = load_pack(in, (r * share + p) * P::kSize, n, in_aligned);
  }
  tell_all(peers, 0, call);
  wait_for_all(peers, 0, call);
  const P* arrived = room<P>(peers, peers.rank, call);
  for (std::int64_t p = first; p < length(peers.rank); p += step) {
    const P total = fold<C, P>(peers.ranks, [&](int r) { return arrived[r * share + p]; });
    for (int k = 0; k < peers.ranks; ++k)
      room<P>(peers, from_here(peers, k), call, (peers.ranks + peers.rank) * share)[p] = total;
  }
  tell_all(peers, 1, call);
  wait_for_all(peers, 1, call);
  const P* totals = arrived + peers.ranks * share;
  for (int r = 0; r < peers.ranks; ++r) {
    for (std::int64_t p = first; p < length(r); p += step)
      store_pack(out, (r * share + p) * P::kSize, n, out_aligned, totals[r * share + p]);
  }
}

template <class C>
void two_shot(const typename C::Args& a, Context& ctx) {
  constexpr int kPack = Pack<typename C::T>::kSize;
  const std::int64_t share = a.peers.half / 16 / (2 * a.peers.ranks);
  launch_pieces<C>(ctx, a, share * a.peers.ranks * kPack, kThreads, std::int64_t{kPack} * a.peers.ranks,
                   add_share_store_totals<C>);
}

REGISTER(AllReduce, two_shot,
         .note = "each rank adds up a share of all arrays, and stores it into all others' memory")

}  // namespace
}  // namespace tandem
