// Idea:    where the part of a list is dense, a block makes bits of it in shared memory, one for each number
//          between its first and its last candidate. A candidate then looks at its own bit.
// New:     against deferred, one probe replaces a dozen, and a part of any length is read in one go, four
//          neighbouring ids to a thread, which often share a word.
// Expect:  half the time where lists are of like length and every thirtieth document or more is in them; no
//          change where they are thinner.
// Limits:  131,072 numbers between the first and the last candidate. The bits are made again for every piece;
//          lists kept as bits in memory would need no making.
// Source:  Culpepper, Moffat 2010, "Efficient set intersection for inverted indexing".

#include "custom_kernels/intersect/detail/bits.cuh"
#include "custom_kernels/intersect/detail/piece.cuh"
#include "custom_kernels/intersect/detail/placing.cuh"

namespace tandem {
namespace {

// A longer part is searched, not read: ids for each thread with a candidate alive.
constexpr std::int64_t kReadUpTo = 32;
constexpr int kLists = kPieceWarps / 2;  // whose parts are found at once

/// Block-wide: keeps the candidates that are among ids begin … end − 1 of the list, whose bits it sets.
template <class T, int kItems>
__device__ void keep_by_bits(Candidates<T, kItems>& mine, const PostingList<T>& list, std::int64_t begin,
                             std::int64_t end, const BitWindow<T>& bits) {
  bits.clear();
  // Packs of four ids are aligned in memory; the first and the last may reach beyond the part.
  constexpr int kPack = Pack<T>::kSize;
  const T* part = list.ids + begin;
  const int ahead = int(unaligned_head(part, kPack)), shift = ahead ? kPack - ahead : 0;
  for (std::int64_t at = std::int64_t(threadIdx.x) * kPack - shift; at < end - begin;
       at += kPieceThreads * kPack) {
    const int from = at < 0 ? shift : 0, to = int(min(std::int64_t{kPack}, end - begin - at));
    Pack<T> pack;
    if (from == 0 && to == kPack) {
      pack = *reinterpret_cast<const Pack<T>*>(part + at);
    } else {
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        if (k >= from && k < to) pack.values[k] = part[at + k];
      }
    }
    bits.set(pack, from, to);
  }
  __syncthreads();
  mine.keep_if([&](T x) { return bits.holds(x); });
}

template <class C, int kItems>
__global__ void __launch_bounds__(kPieceThreads, 5)
    intersect_piece(typename C::Args a, Aside<typename C::T> aside) {
  using T = typename C::T;
  constexpr int kPiece = kPieceThreads * kItems;
  alignas(16) __shared__ Shared<T, kStage> stage;
  __shared__ Shared<T, 2> edges;  // the first and the last candidate
  __shared__ Shared<std::int64_t, 2 * kLists> bounds;
  __shared__ Shared<int, kItems * kPieceWarps> ranks;  // results before each row of each warp
  __shared__ Shared<T*, 1> shared_to;                  // where the results of the piece go
  __shared__ Shared<int, 1> shared_total;              // how many they are
  const int t = threadIdx.x, warp = t / kWarp, lane = t % kWarp;
  start_early();

  const std::int64_t q = query_of_piece(a, blockIdx.x), terms = a.terms_of(q);
  const std::int64_t first = (blockIdx.x - std::int64_t(a.first_piece[q])) * kPiece;
  const PostingList<T> shortest = a.list(q, 0);
  Candidates<T, kItems> mine;
  mine.fill(int(min(std::int64_t{kPiece}, shortest.size - first)), edges,
            [&](int i) { return shortest.ids[first + i]; });
  int threads_alive = __syncthreads_count(mine.alive != 0);

  for (std::int64_t group = 1; group < terms && threads_alive > 0; group += kLists) {
    // Warp w finds where the part of its list begins (w even) or ends.
    if (const std::int64_t other = group + warp / 2; other < terms) {
      const PostingList<T> list = a.list(q, other);
      const int after = warp % 2;
      const std::int64_t bound =
          warp_first_not_below(list.ids, 0, list.size, std::uint64_t{edges[after]} + after);
      if (lane == 0) bounds[warp] = bound;
    }
    __syncthreads();
    for (int k = 0; k < kLists && group + k < terms && threads_alive > 0; ++k) {
      const PostingList<T> list = a.list(q, group + k);
      const std::int64_t begin = bounds[2 * k], end = bounds[2 * k + 1];
      const BitWindow<T> bits{stage, edges[0], edges[1] - edges[0]};
      if (bits.suits(end - begin)) {
        keep_by_bits(mine, list, begin, end, bits);
      } else if (end - begin <= kReadUpTo * threads_alive) {
        mine.keep_by_reading(begin, end, stage, [&](std::int64_t from, int size) {
          for (int i = t; i < size; i += kPieceThreads) stage[i] = list.ids[from + i];
        });
      } else {
        mine.keep_if([&](T x) {
          const std::int64_t at = first_not_below(list.ids, begin, end, x);
          return at != end && list.ids[at] == x;
        });
      }
      threads_alive = __syncthreads_count(mine.alive != 0);
    }
  }

  const int found = mine.rank(ranks);
  if (a.counts) {
    if (t == 0) add_count(a, q, found);
    return;
  }
  if (t == 0) {
    aside.sizes[blockIdx.x] = found;
    shared_to[0] = aside.ids + a.first_candidate[q] + first;
    shared_total[0] = found;
  }
  __syncthreads();
  T* to = shared_to[0];
  const int total = shared_total[0];
  mine.gather(ranks, stage);
  __syncthreads();
  for (int i = t; i < total; i += kPieceThreads) to[i] = stage[i];  // in whole lines
}

template <class C>
void dense_bits(const typename C::Args& a, Context& ctx) {
  const auto aside = make_aside<typename C::T>(a, ctx);
  launch_pieces(a, ctx, intersect_piece<C, kShortItems>, intersect_piece<C, kLongItems>, aside);
  place_aside<C>(a, ctx, aside, "intersect/dense_bits");
}

REGISTER(Intersect, dense_bits, .note = "as deferred, and dense parts become bits in shared memory")

}  // namespace
}  // namespace tandem
