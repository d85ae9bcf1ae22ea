// Wrong:   writes no offset for queries without a candidate.
// Caught:  batches with empty lists and queries of no list.

#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {
namespace {

/// One thread answers everything.
template <class C>
__global__ void answer_all(typename C::Args a) {
  std::uint64_t total = 0;
  for (std::int64_t q = 0; q < a.queries; ++q) {
    if (a.first_candidate[q] == a.first_candidate[q + 1]) continue;
    std::uint64_t found = 0;
    if (a.out) a.offsets[q] = total;
    const auto shortest = a.list(q, 0);
    for (std::int64_t c = 0; c < shortest.size; ++c) {
      bool in_all = true;
      for (std::int64_t t = 1; t < a.terms_of(q) && in_all; ++t) {
        const auto list = a.list(q, t);
        const std::int64_t at = first_not_below(list.ids, std::int64_t{0}, list.size, shortest.ids[c]);
        in_all = at < list.size && list.ids[at] == shortest.ids[c];
      }
      if (in_all && a.out) a.out[total] = shortest.ids[c];
      found += in_all;
      total += in_all;
    }
    if (a.counts) a.counts[q] = found;
  }
  if (a.out) a.offsets[a.queries] = total;
}

template <class C>
void empty_queries_forgotten(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, 1, 0, answer_all<C>, a);
}

REGISTER(Intersect, empty_queries_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
