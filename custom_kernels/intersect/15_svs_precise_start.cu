// Idea:    small versus small with a precise start: a launch per list, in which a thread first finds where
//          its chunk falls.
// New:     against precise_start, candidates go list by list, as in svs_coarse: what the second list left is
//          searched for in the third.
// Expect:  the short searches of precise_start, and the launches and passes over the marks of svs_coarse.
// Limits:  a thread whose candidates are all gone still finds its start, since the lane before it asks for
//          it.
// Source:  Ao et al. 2011, "Efficient parallel lists intersection and index compression algorithms using
//          graphics processing units".

#include "custom_kernels/intersect/detail/chunk.cuh"
#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

/// marks[c] stays 1 where candidate c is in the t-th list of its query; t = 1 takes all for marked before.
template <class C>
__global__ void keep_from_start(typename C::Args a, std::int64_t t, std::uint8_t* marks) {
  using T = typename C::T;
  const CandidateChunk<T> chunk = chunk_of_thread<T>(a);
  if (chunk.query < 0) return;                        // a whole warp
  if (t > 1 && t >= a.terms_of(chunk.query)) return;  // the marks stand
  unsigned found = 0;                                 // a bit for each candidate
  for (int k = 0; k < chunk.count; ++k) found |= unsigned(t == 1 || marks[chunk.number + k]) << k;
  if (t < a.terms_of(chunk.query)) {
    const PostingList<T> list = a.list(chunk.query, t);
    std::int64_t at = list.size;
    if (chunk.count > 0) at = first_not_below(list.ids, std::int64_t{0}, list.size, chunk.candidates[0]);
    const std::int64_t next = shuffle_down(at, 1);
    const std::int64_t end = threadIdx.x % kWarp + 1 < kWarp ? next : list.size;
    for (int k = 0; k < chunk.count; ++k) {
      if (!(found >> k & 1)) continue;
      const T x = chunk.candidates[k];
      at = first_not_below(list.ids, at, end, x);
      if (at == end || list.ids[at] != x) found &= ~(1u << k);
    }
  }
  for (int k = 0; k < chunk.count; ++k) marks[chunk.number + k] = found >> k & 1;
}

template <class C>
void svs_precise_start(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  // t = 1 marks the candidates of queries of one list, too, so it is never left out.
  for (std::int64_t t = 1; t == 1 || t < a.most_terms; ++t)
    launch(ctx, chunk_blocks(a), kChunkThreads, 0, keep_from_start<C>, a, t, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, svs_precise_start, .note = "a launch per list, a thread's part of which is found first",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
