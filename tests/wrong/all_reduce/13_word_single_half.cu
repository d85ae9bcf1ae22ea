// Wrong:   words that carry the number of the call, all in one half of the room: a rank that is ahead stores the next
//          word over one that a slower rank has not read, and waits for.
// Caught:  each run in which a rank is that slow ends in a deadlock. There is no race, for all words are the system's.

#include "custom_kernels/all_reduce/detail/fold.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void word_single_half_kernel(Peers peers, const typename C::T* in, typename C::T* out,
                                        std::int64_t n) {
  using P = Pack<typename C::T, 1>;
  const std::uint64_t call = begin_call(peers);
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  for (std::int64_t i = first; i < n; i += step) {
    std::uint32_t bits = 0;
    memcpy(&bits, &in[i], sizeof in[i]);
    for (int r = 0; r < peers.ranks; ++r)
      store_system(room<std::uint64_t>(peers, r, 0, peers.rank * n + i), call << 32 | bits);
  }
  for (std::int64_t i = first; i < n; i += step) {
    out[i] = fold<C, P>(peers.ranks, [&](int r) {
               std::uint64_t seen = 0;
               wait_for(peers, r, [&] {
                 seen = load_system(room<std::uint64_t>(peers, peers.rank, 0, r * n + i));
                 return seen >> 32 == call;
               });
               P pack;
               memcpy(&pack, &seen, sizeof pack);
               return pack;
             }).values[0];
  }
}

template <class C>
requires(sizeof(typename C::T) <= 4) void word_single_half(const typename C::Args& a, Context& ctx) {
  launch_pieces<C>(ctx, a, a.peers.half / 8 / a.peers.ranks, kThreads, 1, word_single_half_kernel<C>);
}

REGISTER(AllReduce, word_single_half, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
