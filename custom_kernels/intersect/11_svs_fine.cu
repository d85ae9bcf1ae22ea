// Idea:    k-ary search by a warp: its lanes compare one candidate with ids at even distances, and the search
//          goes on between the two that enclose it. List after list, a launch for each, as in svs_coarse.
// New:     against svs_flag, a warp has a candidate, not the whole device: many are searched for at the same time,
//          and the CPU waits for none. Against svs_coarse, a probe leaves a 32nd of the range, not a half.
// Expect:  a fifth of the dependent probes (log32 instead of log2), but 32 loads for each: more loads in all.
// Limits:  a mark for every candidate goes to memory and back with each list, as in svs_coarse.
// Source:  Schlegel, Gemulla, Lehner 2009, "k-ary search on modern processors"; Wu et al. 2010, "Efficient
//          lists intersection by CPU–GPU cooperative computing".

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;

/// marks[c] stays 1 where candidate c is in the t-th list of its query; t = 0 marks all.
template <class C>
__global__ void keep_those_in(typename C::Args a, int t, std::uint8_t* marks) {
  const std::int64_t c = std::int64_t(blockIdx.x) * kWarps + threadIdx.x / kWarp;
  if (c >= a.candidates) return;  // a whole warp
  bool keep = t == 0;
  if (t > 0 && marks[c]) {
    const std::int64_t q = query_of(a, c);
    if (t >= a.terms_of(q)) return;
    const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
    const auto list = a.list(q, t);
    const std::int64_t at = warp_first_not_below(list.ids, 0, list.size, x);
    keep = at < list.size && list.ids[at] == x;
  }
  __syncwarp();  // all lanes have read the mark
  if (threadIdx.x % kWarp == 0) marks[c] = keep;
}

template <class C>
void svs_fine(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  for (int t = 0; t < a.most_terms; ++t)
    launch(ctx, ceil_div(a.candidates, kWarps), kThreads, 0, keep_those_in<C>, a, t, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, svs_fine, .note = "a warp per candidate, 32 probes at once, a launch per list",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
