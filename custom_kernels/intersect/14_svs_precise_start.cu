// Idea:    small versus small, a launch per list, in which a thread first finds its segment's part of the list.
// New:     against precise_start, candidates go list by list, as in svs_coarse: what the second list left is searched for
//          in the third.
// Expect:  the short searches of precise_start, and the launches and passes over the marks of svs_coarse.
// Limits:  a thread whose candidates are all gone still finds its part of the list, since its neighbour asks for it. The
//          kernel is in common/precise_start.cuh, as precise_start's.
// Source:  Ao et al. 2011, "Efficient parallel lists intersection and index compression algorithms using graphics
//          processing units".

#include "custom_kernels/intersect/detail/precise_start.cuh"

namespace tandem {
namespace {

template <class C>
void svs_precise_start(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  mark_with_precise_start<C>(a, ctx, 1, 2, marks);  // marks also the candidates of queries of one list
  for (std::int64_t t = 2; t < a.most_terms; ++t) mark_with_precise_start<C>(a, ctx, t, t + 1, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, svs_precise_start, .note = "a launch per list, a thread's part of which is found first")

}  // namespace
}  // namespace tandem
