// Idea:    before a thread searches for its segment of candidates, it finds where its first one falls in each list; where
//          its right neighbour's first one falls is where its part of the list ends.
// New:     against adp_coarse, searches within a segment start from a part of the list that is about as long as the segment
//          times the ratio of the lengths, not from the whole list. A place is passed to the neighbour by a shuffle.
// Expect:  one long search in 16, all others of a few probes that stay in a line or two.
// Limits:  the last thread of a warp, and of a query, searches for its end itself: to the end of the list.
// Source:  Ao et al. 2011, "Efficient parallel lists intersection and index compression algorithms using graphics
//          processing units".

#include "custom_kernels/common/postings.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kSegment = 16;  // candidates of a thread, of one query

/// Warp-uniform: a warp has 32 neighbouring segments of one query, as many as a piece of 512 candidates has.
template <class C>
__global__ void mark_segments(typename C::Args a, std::uint8_t* marks) {
  using T = typename C::T;
  constexpr int kOfWarp = kWarp * kSegment;
  const int lane = threadIdx.x % kWarp, of_piece = a.piece / kOfWarp;
  const std::int64_t warp = std::int64_t(blockIdx.x) * (kThreads / kWarp) + threadIdx.x / kWarp;
  const std::int64_t piece = warp / of_piece;
  if (piece >= a.pieces) return;  // a whole warp
  const std::int64_t q =
      first_not_below(a.first_piece, std::int64_t{1}, a.queries, std::uint64_t(piece) + 1) - 1;
  const PostingList<T> shortest = a.list(q, 0);
  const std::int64_t first =
      (piece - a.first_piece[q]) * a.piece + warp % of_piece * kOfWarp + std::int64_t(lane) * kSegment;
  const int count = int(max(std::int64_t(0), min(std::int64_t(kSegment), shortest.size - first)));
  const T lowest = count > 0 ? shortest.ids[first] : 0;

  unsigned found = (1u << count) - 1;  // a bit for each candidate
  for (std::int64_t t = 1; t < a.terms_of(q); ++t) {
    const PostingList<T> list = a.list(q, t);
    std::int64_t at = count > 0 ? first_not_below(list.ids, std::int64_t{0}, list.size, lowest) : list.size;
    const std::int64_t next = shuffle_down(at, 1);
    const std::int64_t end = lane + 1 < kWarp ? next : list.size;
    for (int k = 0; k < count; ++k) {
      if (!(found >> k & 1)) continue;
      const T x = shortest.ids[first + k];
      at = first_not_below(list.ids, at, end, x);
      if (at == end || list.ids[at] != x) found &= ~(1u << k);
    }
  }
  for (int k = 0; k < count; ++k) marks[a.first_candidate[q] + first + k] = found >> k & 1;
}

template <class C>
void precise_start(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  const std::int64_t warps = a.pieces * (a.piece / (kWarp * kSegment));
  launch(ctx, ceil_div(warps, kThreads / kWarp), kThreads, 0, mark_segments<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, precise_start, .note = "a thread per segment, whose part of each list is found first")

}  // namespace
}  // namespace tandem
