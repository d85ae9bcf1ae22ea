// Idea:    each candidate goes through all lists of its query; a thread has a chunk of the shortest list.
// New:     against svs_coarse, one launch for all lists, and a candidate that is missing in one is not looked
//          for in the others.
// Expect:  the same probes with fewer launches and passes over the marks.
// Limits:  every search starts with the whole list. Lanes of a warp search in different lists at the same
//          time.
// Source:  Demaine, López-Ortiz, Munro 2000, "Adaptive set intersections, unions, and differences".

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kChunk = 16;  // candidates of a thread

template <class C>
__global__ void mark_by_search(typename C::Args a, std::uint8_t* marks) {
  const std::int64_t first = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) * kChunk;
  std::int64_t q = first < a.candidates ? query_of(a, first) : 0;
  for (std::int64_t c = first; c < min(first + kChunk, a.candidates); ++c) {
    while (c >= std::int64_t(a.first_candidate[q + 1])) ++q;
    const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
    bool found = true;
    for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
      const auto list = a.list(q, t);
      const std::int64_t at = first_not_below(list.ids, std::int64_t{0}, list.size, x);
      found = at < list.size && list.ids[at] == x;
    }
    marks[c] = found;
  }
}

template <class C>
void adp_coarse(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, ceil_div(a.candidates, kThreads * kChunk), kThreads, 0, mark_by_search<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, adp_coarse, .note = "a thread per chunk, each candidate through all lists",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
