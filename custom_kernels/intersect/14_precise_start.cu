// Idea:    before a thread searches for its segment of candidates, it finds where its first one falls in each list; where
//          its right neighbour's first one falls is where its part of the list ends.
// New:     against adp_coarse, searches within a segment start from a part of the list that is about as long as the segment
//          times the ratio of the lengths, not from the whole list. A place is passed to the neighbour by a shuffle.
// Expect:  one long search in 16, all others of a few probes that stay in a line or two.
// Limits:  the last thread of a warp, and of a query, searches for its end itself: to the end of the list. The
//          kernel is in common/precise_start.cuh, because svs_precise_start runs on it too.
// Source:  Ao et al. 2011, "Efficient parallel lists intersection and index compression algorithms using graphics
//          processing units".

#include "custom_kernels/intersect/detail/precise_start.cuh"

namespace tandem {
namespace {

template <class C>
void precise_start(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  mark_with_precise_start<C>(a, ctx, 1, a.most_terms, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, precise_start, .note = "a thread per segment, whose part of each list is found first")

}  // namespace
}  // namespace tandem
