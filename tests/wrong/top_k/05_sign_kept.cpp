// Wrong:   compares keys by their bits: negative integers are the largest.
// Caught:  keys of both signs.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void sign_kept(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  const Key flip = a.order.flip & 1 ? ~Key(0) : Key(0);
  KeyOrder<Key> order = a.order;
  order.flip = flip;
  in_order::take_by(a, in_order::coded(a, ctx, [=](Key key) { return order.code(key); }), std::less<>());
}

REGISTER(TopK, sign_kept, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
