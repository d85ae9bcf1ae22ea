// Idea:    one launch for a whole batch: a block takes a piece of a query's shortest list and all other lists of that query;
//          of each it looks only at the part between its first and its last candidate.
// New:     against precise_start, a block finds its parts of four lists at once, two warps for each, 32 probes at a time;
//          parts that are not much longer than the piece come into shared memory in one coalesced sweep, and searches end
//          there; a piece without a candidate left ends at once; and what is found goes straight to its place: blocks tell
//          each other by look-back how many results lie before them. No marks, no lists in between.
// Expect:  the shortest lists are read once, of the others what has a chance to match; a few microseconds for a piece, of
//          which a GPU has a thousand under way. Counting needs neither places nor writes.
// Limits:  blocks must start in index order (see common/lookback.cuh). Dense lists are searched like all others, ten
//          probes in shared memory for a candidate, where a merge would take two. The order of results is fixed. The kernel
//          is in common/intersect_piece.cuh, because packed_batch runs on it too.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back"; Ao et al. 2011.

#include "custom_kernels/common/intersect_piece.cuh"

namespace tandem {
namespace {

/// A list whose ids lie one by one.
template <class T>
class PlainList {
 public:
  static constexpr std::int64_t kReadUpTo = 32;

  template <class Args>
  __device__ PlainList(const Args& a, std::int64_t q, std::int64_t t) : list_(a.list(q, t)) {}
  __device__ std::int64_t size() const { return list_.size; }
  __device__ std::int64_t bound(T id, bool after) const {
    return warp_first_not_below(list_.ids, 0, list_.size, std::uint64_t{id} + after);
  }
  template <class Piece>
  __device__ void take(std::int64_t first, int count, Piece& piece, Stage<T>&) const {
    piece.fill(count, [&](int i) { return list_.ids[first + i]; });
  }
  __device__ void load(std::int64_t first, int count, Stage<T>& stage) const {
    for (int i = threadIdx.x; i < count; i += kPieceThreads) stage[i] = list_.ids[first + i];
  }
  template <class Piece>
  __device__ void keep(std::int64_t begin, std::int64_t end, Piece& piece) const {
#pragma unroll
    for (int i = 0; i < Piece::kSize; ++i) {
      if (!(piece.alive >> i & 1)) continue;
      const std::int64_t at = first_not_below(list_.ids, begin, end, piece.ids[i]);
      if (at == end || list_.ids[at] != piece.ids[i]) piece.alive &= ~(1u << i);
    }
  }

 private:
  PostingList<T> list_;
};

template <class C>
void batch(const typename C::Args& a, Context& ctx) {
  answer_in_one_launch<C, PlainList<typename C::T>>(a, ctx, "intersect/batch");
}

REGISTER(Intersect, batch,
         .note = "one launch: a block per piece and all its lists, results placed by look-back")

}  // namespace
}  // namespace tandem
