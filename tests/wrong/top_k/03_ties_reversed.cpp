// Wrong:   the right keys, but equal ones in descending position: sorted the other way, then turned around.
// Caught:  positions of keys that are equal.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void ties_reversed(const typename C::Args& a, Context& ctx) {
  CodeAt<typename C::Key>* items = codes_with_positions(a, ctx);
  std::sort(items, items + a.n);
  std::sort(items, items + a.k, [](const auto& x, const auto& y) {
    return x.code != y.code ? x.code < y.code : x.position > y.position;
  });
  take(a, items);
}

REGISTER(TopK, ties_reversed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
