// Idea:    every rank stores its array into the memory of every rank, tells them, waits for theirs, and adds up all
//          of them in rank order: the same bits on every rank.
// New:     against gather, whose message goes through MPI and the host, one kernel on each rank: stores of 16
//          bytes travel over the link while the next are on their way, and a flag for each block and rank says that
//          they are there.
// Expect:  few elements: one trip over the link for data and one for the flag behind them, which a fence keeps apart.
//          Many: (P − 1) times the array leaves each rank, so for more than two ranks two_shot is faster.
// Limits:  ranks whose GPUs reach each other's memory, at most 16. All ranks give the same n.
// Source:  the one-shot all-reduce of TensorRT-LLM and vLLM ("custom all-reduce").

#include "custom_kernels/all_reduce/detail/fold.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;

template <class C>
__global__ void __launch_bounds__(kThreads, 1)
    store_all_add_all(const __grid_constant__ Peers peers, const typename C::T* in, typename C::T* out,
                      std::int64_t n) {
  using P = Pack<typename C::T>;
  start_early();
  const std::uint64_t call = begin_call(peers);
  const std::int64_t packs = ceil_div(n, P::kSize), step = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const bool in_aligned = unaligned_head(in, n) == 0, out_aligned = unaligned_head(out, n) == 0;

  for (std::int64_t p = first; p < packs; p += step) {
    const P own = load_pack(in, p * P::kSize, n, in_aligned);
    for (int k = 0; k < peers.ranks; ++k)
      room<P>(peers, from_here(peers, k), call, peers.rank * packs)[p] = own;
  }
  tell_all(peers, 0, call);
  wait_for_all(peers, 0, call);
  const P* arrived = room<P>(peers, peers.rank, call);
  for (std::int64_t p = first; p < packs; p += step) {
    const P total = fold<C, P>(peers.ranks, [&](int r) { return arrived[r * packs + p]; });
    store_pack(out, p * P::kSize, n, out_aligned, total);
  }
}

template <class C>
void one_shot(const typename C::Args& a, Context& ctx) {
  constexpr int kPack = Pack<typename C::T>::kSize;
  const std::int64_t most = a.peers.half / 16 / a.peers.ranks * kPack;
  launch_pieces<C>(ctx, a, most, kThreads, kPack, store_all_add_all<C>);
}

REGISTER(AllReduce, one_shot, .note = "every rank stores its array into all others' memory, and adds up all")

}  // namespace
}  // namespace tandem
