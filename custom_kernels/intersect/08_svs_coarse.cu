// Idea:    small versus small, with a chunk of the shortest list for each thread: its candidates are searched
//          for in the second list, those found there in the third, and so on, a launch for each list.
// New:     the first step on the GPU: thousands of candidates are searched for at once.
// Expect:  log2(length of the list) dependent probes for a candidate, most of them in cache lines of their
//          own; the candidates of neighbouring threads are 16 apart, so their loads of the shortest list do
//          not coalesce.
// Limits:  a mark for every candidate goes to memory and back with each list. Every search starts with the
//          whole list.
// Source:  Ao et al. 2011, "Efficient parallel lists intersection and index compression algorithms using
//          graphics processing units".

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kChunk = 16;  // candidates of a thread

/// marks[c] stays 1 where candidate c is in the t-th list of its query; t = 0 marks all.
template <class C>
__global__ void keep_those_in(typename C::Args a, int t, std::uint8_t* marks) {
  const std::int64_t first = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) * kChunk;
  std::int64_t q = first < a.candidates ? query_of(a, first) : 0;
  for (std::int64_t c = first; c < min(first + kChunk, a.candidates); ++c) {
    while (c >= std::int64_t(a.first_candidate[q + 1])) ++q;
    if (t == 0) marks[c] = 1;
    if (t == 0 || t >= a.terms_of(q) || !marks[c]) continue;
    const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
    const auto list = a.list(q, t);
    const std::int64_t at = first_not_below(list.ids, std::int64_t{0}, list.size, x);
    if (at == list.size || list.ids[at] != x) marks[c] = 0;
  }
}

template <class C>
void svs_coarse(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  for (int t = 0; t < a.most_terms; ++t)
    launch(ctx, ceil_div(a.candidates, kThreads * kChunk), kThreads, 0, keep_those_in<C>, a, t, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, svs_coarse, .note = "a thread per chunk of the shortest list, a launch per list",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
