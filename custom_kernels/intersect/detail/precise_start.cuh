#pragma once
// What the steps with a precise start share: before a thread searches for its segment of candidates in a list, it finds
// where the first one falls; where its right neighbour's first one falls is where its part of the list ends.

#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {

constexpr int kSegmentThreads = 128;
constexpr int kSegment = 16;  // candidates of a thread, of one query
constexpr int kWarpSegments = kWarp * kSegment;

/// Marks the candidates that the lists from the `from`-th up to the one before the `to`-th of their query hold, of those
/// that the lists before have left marked. Warp-uniform: a warp has 32 neighbouring segments of one query, as many as a
/// piece of 512 candidates has.
template <class C>
__global__ void mark_segments(typename C::Args a, std::int64_t from, std::int64_t to, std::uint8_t* marks) {
  using T = typename C::T;
  const int lane = threadIdx.x % kWarp, of_piece = a.piece / kWarpSegments;
  const std::int64_t warp = std::int64_t(blockIdx.x) * (kSegmentThreads / kWarp) + threadIdx.x / kWarp;
  const std::int64_t piece = warp / of_piece;
  if (piece >= a.pieces) return;  // a whole warp
  const std::int64_t q =
      first_not_below(a.first_piece, std::int64_t{1}, a.queries, std::uint64_t(piece) + 1) - 1;
  if (from > 1 && from >= a.terms_of(q)) return;  // the marks stand
  const PostingList<T> shortest = a.list(q, 0);
  const std::int64_t first =
      (piece - a.first_piece[q]) * a.piece + warp % of_piece * kWarpSegments + std::int64_t(lane) * kSegment;
  const int count = int(max(std::int64_t(0), min(std::int64_t(kSegment), shortest.size - first)));
  const T lowest = count > 0 ? shortest.ids[first] : 0;
  std::uint8_t* mine = marks + a.first_candidate[q] + first;

  unsigned found = 0;  // a bit for each candidate
  for (int k = 0; k < count; ++k) found |= unsigned(from == 1 || mine[k]) << k;
  for (std::int64_t t = from; t < min(to, a.terms_of(q)); ++t) {
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
  for (int k = 0; k < count; ++k) mine[k] = found >> k & 1;
}

/// Launches mark_segments. With from = 1 every candidate counts as marked before.
template <class C>
void mark_with_precise_start(const typename C::Args& a, Context& ctx, std::int64_t from, std::int64_t to,
                             std::uint8_t* marks) {
  const std::int64_t warps = a.pieces * (a.piece / kWarpSegments);
  launch(ctx, ceil_div(warps, kSegmentThreads / kWarp), kSegmentThreads, 0, mark_segments<C>, a, from, to,
         marks);
}

}  // namespace tandem
