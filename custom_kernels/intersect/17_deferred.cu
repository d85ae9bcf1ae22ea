// Idea:    what a piece leaves is put aside, and a second, small launch moves it to its final address when
//          all pieces are done.
// New:     against batch, no block waits in a look-back for those before it. Pieces take different times; a
//          block that waited kept others from starting.
// Expect:  the time of counting, and a launch of a few microseconds that reads and writes each result once
//          more.
// Limits:  dense results move twice. Memory for all candidates, of which results may use little. The second
//          launch, place_results of detail/placing.cuh, is shared with the next steps.
// Source:  Billeter, Olsson, Assarsson 2009, "Efficient stream compaction on wide SIMD many-core
//          architectures".

#include "custom_kernels/intersect/detail/piece.cuh"
#include "custom_kernels/intersect/detail/placing.cuh"

namespace tandem {
namespace {

// A longer part is searched, not read: ids for each thread with a candidate alive.
constexpr std::int64_t kReadUpTo = 32;
constexpr int kLists = kPieceWarps / 2;  // whose parts are found at once

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
void deferred(const typename C::Args& a, Context& ctx) {
  const auto aside = make_aside<typename C::T>(a, ctx);
  launch_pieces(a, ctx, intersect_piece<C, kShortItems>, intersect_piece<C, kLongItems>, aside);
  place_aside<C>(a, ctx, aside, "intersect/deferred");
}

REGISTER(Intersect, deferred, .note = "as batch, but results wait aside until all are there")

}  // namespace
}  // namespace tandem
