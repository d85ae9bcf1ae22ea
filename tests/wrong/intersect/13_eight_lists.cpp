// Wrong:   looks at no more than eight lists of a query.
// Caught:  queries of nine and of twenty lists that all take ids away.

#include <algorithm>

#include "lib/ops/intersect/contract.h"

namespace tandem {
namespace {

template <class C>
void eight_lists(const typename C::Args& a, Context&) {
  std::uint64_t found = 0;
  if (a.offsets) a.offsets[0] = 0;
  for (std::int64_t q = 0; q < a.queries; ++q) {
    const std::uint64_t before = found;
    const std::int64_t terms = std::min<std::int64_t>(a.terms_of(q), 8);
    const auto shortest = terms > 0 ? a.list(q, 0) : Intersect::List<typename C::T>{nullptr, 0};
    for (std::int64_t i = 0; i < shortest.size; ++i) {
      bool all = true;
      for (std::int64_t t = 1; t < terms && all; ++t) {
        const auto list = a.list(q, t);
        all = std::binary_search(list.ids, list.ids + list.size, shortest.ids[i]);
      }
      if (all && a.offsets) a.out[found] = shortest.ids[i];
      found += all;
    }
    if (a.offsets)
      a.offsets[q + 1] = found;
    else
      a.counts[q] = found - before;
  }
}

REGISTER(Intersect, eight_lists, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
