// Wrong:   −0 is smaller than +0.
// Caught:  zeros of both signs, in any order.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void zeros_apart(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  CodeAt<Key>* items = codes_with_positions(a, ctx);
  const bool descending = a.order.flip & 1;
  const auto late = [&](const auto& item) {
    const Key key = a.in[item.position];
    return a.order.floating && (descending ? key == Key(1) << (8 * sizeof(Key) - 1) : key == 0);
  };
  in_order::take_by(a, items, [&](const auto& x, const auto& y) {
    if (x.code != y.code) return x.code < y.code;
    return late(x) != late(y) ? late(y) : x.position < y.position;
  });
}

REGISTER(TopK, zeros_apart, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
