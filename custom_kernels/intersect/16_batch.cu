// Idea:    one launch for a whole batch: a block takes a piece of a query's shortest list and all other lists
//          of that query; of each it looks only at the part between its first and its last candidate.
// New:     against precise_start, a block finds the parts of four lists at once, a warp for each end, 32
//          probes at a time; a part that is not much longer than the piece is read into shared memory,
//          coalesced, and searched there; a piece without a candidate left ends at once; and results go
//          straight to their final addresses: by decoupled look-back a block learns how many results lie
//          before its own. No marks, no lists in between.
// Expect:  the shortest lists are read once, of the others what can match; a few microseconds for a piece, of
//          which a GPU has a thousand under way. Counting needs no look-back.
// Limits:  blocks must start in the order of their indices (tandem/device/look_back.cuh). Dense lists are
//          searched like all others, a dozen probes in shared memory for a candidate, where a merge would
//          take two.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back"; Ao et al.
//          2011.

#include "custom_kernels/intersect/detail/piece.cuh"
#include "custom_kernels/intersect/detail/placing.cuh"

namespace tandem {
namespace {

// A longer part is searched, not read: ids for each thread with a candidate alive.
constexpr std::int64_t kReadUpTo = 32;
constexpr int kLists = kPieceWarps / 2;  // whose parts are found at once

template <class C, int kItems>
__global__ void __launch_bounds__(kPieceThreads, 5)
    intersect_piece(typename C::Args a, Epochs* state, Descriptor<std::uint64_t>* descriptors) {
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
      if (end - begin <= kReadUpTo * threads_alive) {
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
  if (warp == 0) {
    const std::uint64_t before =
        publish_and_look_back<Plus>(descriptors, blockIdx.x, state->running(), std::uint64_t(found));
    if (lane == 0) {
      shared_to[0] = a.out + before;
      shared_total[0] = found;
    }
  }
  __syncthreads();
  T* to = shared_to[0];
  const int total = shared_total[0];
  mine.gather(ranks, stage);
  __syncthreads();
  for (int i = t; i < total; i += kPieceThreads) to[i] = stage[i];  // in whole lines
  write_offsets(a, blockIdx.x, q, to - a.out, total, t, kPieceThreads);
  if (t == 0) state->finish_block(state->running());
}

template <class C>
void batch(const typename C::Args& a, Context& ctx) {
  Epochs* state = nullptr;
  Descriptor<std::uint64_t>* descriptors = nullptr;
  if (!a.counts) {
    auto* memory = ctx.state<std::byte>("intersect/batch", lookback_bytes<std::uint64_t>(a.pieces));
    state = reinterpret_cast<Epochs*>(memory);
    descriptors = descriptors_in<std::uint64_t>(memory);
  }
  launch_pieces(a, ctx, intersect_piece<C, kShortItems>, intersect_piece<C, kLongItems>, state, descriptors);
}

REGISTER(Intersect, batch,
         .note = "one launch: a block per piece and all its lists, results placed by look-back")

}  // namespace
}  // namespace tandem
