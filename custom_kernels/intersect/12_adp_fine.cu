// Idea:    a warp looks for its candidate in all lists of the query, 32 probes at once.
// New:     against svs_fine, one launch for all lists; against adp_coarse, a warp has one candidate.
// Expect:  as svs_fine, without the passes over the marks. Lanes of a warp are always in the same list.
// Limits:  a probe is 32 loads, and most of what they bring is not needed.
// Source:  Schlegel, Gemulla, Lehner 2009, "k-ary search on modern processors".

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;

template <class C>
__global__ void mark_candidates(typename C::Args a, std::uint8_t* marks) {
  const std::int64_t c = std::int64_t(blockIdx.x) * kWarps + threadIdx.x / kWarp;
  if (c >= a.candidates) return;  // a whole warp
  const std::int64_t q = query_of(a, c);
  const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
  bool found = true;
  for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
    const auto list = a.list(q, t);
    const std::int64_t at = warp_first_not_below(list.ids, 0, list.size, x);
    found = at < list.size && list.ids[at] == x;
  }
  if (threadIdx.x % kWarp == 0) marks[c] = found;
}

template <class C>
void adp_fine(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, ceil_div(a.candidates, kWarps), kThreads, 0, mark_candidates<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, adp_fine, .note = "a warp per candidate, 32 probes at once, through all lists",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
