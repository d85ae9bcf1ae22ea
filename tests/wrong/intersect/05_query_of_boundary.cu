// Wrong:   counts the first candidate of a query to the query before it.
// Caught:  the first id of a query is looked up in the lists of another.

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void mark_candidates(typename C::Args a, std::uint8_t* marks) {
  const std::int64_t c = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (c >= a.candidates) return;
  const std::int64_t q = query_of(a, max(c - 1, std::int64_t{0}));
  const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
  bool found = true;
  for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
    const auto list = a.list(q, t);
    const std::int64_t at = first_not_below(list.ids, std::int64_t{0}, list.size, x);
    found = at < list.size && list.ids[at] == x;
  }
  marks[c] = found;
}

template <class C>
void query_of_boundary(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, ceil_div(a.candidates, kThreads), kThreads, 0, mark_candidates<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, query_of_boundary, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
