// Wrong:   of keys that are equal to the k-th the last positions are taken.
// Caught:  a tie at the k-th, positions among the results.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void last_wins(const typename C::Args& a, Context& ctx) {
  CodeAt<typename C::Key>* items = codes_with_positions(a, ctx);
  std::partial_sort(items, items + a.k, items + a.n, [](const auto& x, const auto& y) {
    return x.code != y.code ? x.code < y.code : x.position > y.position;
  });
  std::sort(items, items + a.k);
  take(a, items);
}

REGISTER(TopK, last_wins, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
