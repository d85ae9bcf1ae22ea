// Idea:    what travels are words of 64 bits, {32 bits of data, number of the call}: who sees the number has the data.
// New:     against one_shot, no flag behind the data, so no fence that waits until they have arrived, and one trip
//          over the link where there were two. Nothing is cleared: the next call has another number, and the other half of
//          the room.
// Expect:  the fastest for short arrays. Each byte travels with another one beside it, so long ones take twice as long as by
//          one_shot.
// Limits:  as one_shot. A word that was written 2^32 calls ago, and in none since, would be taken for a new one.
// Source:  the low-latency protocol (LL) of NCCL; the words are those of decoupled look-back (Merrill, Garland 2016).

#include "custom_kernels/all_reduce/detail/fold.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;

/// One or two elements, cut into the halves of so many words.
template <class T>
struct Piece : Pack<T, (sizeof(T) < 4 ? 4 / sizeof(T) : 1)> {
  static constexpr int kWords = (sizeof(T) + 3) / 4;
};

template <class C>
__global__ void __launch_bounds__(kThreads, 1)
    store_words_add_all(const __grid_constant__ Peers peers, const typename C::T* in, typename C::T* out,
                        std::int64_t n) {
  using P = Piece<typename C::T>;
  start_early();
  const std::uint64_t call = begin_call(peers);
  const std::int64_t pieces = ceil_div(n, P::kSize), step = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const auto own = [&](std::int64_t p) {
    P piece{};
#pragma unroll
    for (int k = 0; k < P::kSize; ++k) {
      if (p * P::kSize + k < n) piece.values[k] = in[p * P::kSize + k];
    }
    return piece;
  };
  // Word w of piece p of the array that rank `from` stored into rank `to`.
  const auto word = [&](int to, int from, int w, std::int64_t p) {
    return room<std::uint64_t>(peers, to, call, (std::int64_t{from} * P::kWords + w) * pieces + p);
  };

  for (std::int64_t p = first; p < pieces; p += step) {
    const P piece = own(p);
    std::uint32_t bits[P::kWords];
    memcpy(bits, &piece, sizeof bits);
    for (int k = 1; k < peers.ranks; ++k) {
#pragma unroll
      for (int w = 0; w < P::kWords; ++w)
        store_system(word(from_here(peers, k), peers.rank, w, p), call << 32 | bits[w]);
    }
  }
  for (std::int64_t p = first; p < pieces; p += step) {
    const P total = fold<C, P>(peers.ranks, [&](int r) {
      if (r == peers.rank) return own(p);
      std::uint32_t bits[P::kWords];
#pragma unroll
      for (int w = 0; w < P::kWords; ++w) {
        std::uint64_t seen = 0;
        wait_for(peers, r, [&] {
          seen = load_system(word(peers.rank, r, w, p));
          return std::uint32_t(seen >> 32) == std::uint32_t(call);
        });
        bits[w] = std::uint32_t(seen);
      }
      P piece;
      memcpy(&piece, bits, sizeof bits);
      return piece;
    });
#pragma unroll
    for (int k = 0; k < P::kSize; ++k) {
      if (p * P::kSize + k < n) out[p * P::kSize + k] = total.values[k];
    }
  }
}

template <class C>
void flag_in_word(const typename C::Args& a, Context& ctx) {
  using P = Piece<typename C::T>;
  const std::int64_t most = a.peers.half / 8 / (a.peers.ranks * P::kWords) * P::kSize;
  launch_pieces<C>(ctx, a, most, kThreads, P::kSize, store_words_add_all<C>);
}

REGISTER(AllReduce, flag_in_word,
         .note = "64-bit words that carry the number of the call beside the data: no fence, no flag")

}  // namespace
}  // namespace tandem
