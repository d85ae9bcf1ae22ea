// Idea:    before a thread searches a list for its chunk of candidates, it finds where the first of them
//          falls in the list; where the first candidate of the next lane falls is where its own part of the
//          list ends.
// New:     against adp_coarse, the searches of a chunk are confined to a part of the list that is about as
//          long as the chunk times the ratio of the lengths, not the whole list. Lanes pass their starts on
//          by a shuffle.
// Expect:  one long search in 16; all others take a few probes, within a cache line or two.
// Limits:  the last lane of a warp has no neighbour: its part reaches to the end of the list.
// Source:  Ao et al. 2011, "Efficient parallel lists intersection and index compression algorithms using
//          graphics processing units".

#include "custom_kernels/intersect/detail/chunk.cuh"
#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void mark_from_start(typename C::Args a, std::uint8_t* marks) {
  using T = typename C::T;
  const CandidateChunk<T> chunk = chunk_of_thread<T>(a);
  if (chunk.query < 0) return;               // a whole warp
  unsigned found = (1u << chunk.count) - 1;  // a bit for each candidate
  for (std::int64_t t = 1; t < a.terms_of(chunk.query); ++t) {
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
void precise_start(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, chunk_blocks(a), kChunkThreads, 0, mark_from_start<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, precise_start, .note = "a thread per chunk, whose part of each list is found first",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
