// Wrong:   writes results in the order in which threads find them, not in that of the ids.
// Caught:  results are compared in order, under schedules that reverse the threads.

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

/// Block q answers query q.
template <class C>
__global__ void answer_query(typename C::Args a, unsigned long long* counts, bool write) {
  const std::int64_t q = blockIdx.x;
  const std::int64_t begin = a.first_candidate[q], end = a.first_candidate[q + 1];
  for (std::int64_t c = end - 1 - threadIdx.x; c >= begin; c -= kThreads) {
    const auto x = a.list(q, 0).ids[c - begin];
    bool found = true;
    for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
      const auto list = a.list(q, t);
      const std::int64_t at = first_not_below(list.ids, std::int64_t{0}, list.size, x);
      found = at < list.size && list.ids[at] == x;
    }
    if (!found) continue;
    const auto rank = atomicAdd(&counts[q], 1ull);
    if (write) a.out[a.offsets[q] + rank] = x;
  }
}

template <class C>
void unordered(const typename C::Args& a, Context& ctx) {
  const std::size_t bytes = std::size_t(a.queries) * 8;
  auto* counts = ctx.scratch<unsigned long long>(a.queries);
  ctx.fill(counts, 0, bytes);
  launch(ctx, a.queries, kThreads, 0, answer_query<C>, a, counts, false);
  if (a.counts) return ctx.copy(a.counts, counts, bytes);
  launch(ctx, 1, kAnswerThreads, 0, scan_counts<C>, a, reinterpret_cast<const std::uint64_t*>(counts));
  ctx.fill(counts, 0, bytes);
  launch(ctx, a.queries, kThreads, 0, answer_query<C>, a, counts, true);
}

REGISTER(Intersect, unordered, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
