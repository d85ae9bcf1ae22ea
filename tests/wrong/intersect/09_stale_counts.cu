// Wrong:   adds to counts that it has not cleared.
// Caught:  counts are poisoned before every run.

#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void add_found(typename C::Args a, unsigned long long* counts) {
  const std::int64_t c = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (c >= a.candidates) return;
  const std::int64_t q = query_of(a, c);
  const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
  bool found = true;
  for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
    const auto list = a.list(q, t);
    const std::int64_t at = first_not_below(list.ids, std::int64_t{0}, list.size, x);
    found = at < list.size && list.ids[at] == x;
  }
  if (found) atomicAdd(&counts[q], 1ull);
}

template <class C>
void stale_counts(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.candidates, kThreads), kThreads, 0, add_found<C>, a,
         reinterpret_cast<unsigned long long*>(a.counts));
}

std::string refuses(const Intersect::Shape& shape, CaseId) { return shape.count_only ? "" : "only counts"; }

REGISTER(Intersect, stale_counts, .note = "wrong on purpose", .refuses = refuses)

}  // namespace
}  // namespace tandem
