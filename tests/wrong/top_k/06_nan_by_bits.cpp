// Wrong:   a NaN with a sign comes before all numbers, as its bits say.
// Caught:  NaNs of both signs; what libraries do, who say so.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void nan_by_bits(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr Key kSign = Key(1) << (8 * sizeof(Key) - 1);
  const auto code = [&](Key key) -> Key {
    if (!a.order.floating) return a.order.code(key);
    return (key == kSign ? kSign : key & kSign ? Key(~key) : key | kSign) ^ a.order.flip;
  };
  in_order::take_by(a, in_order::coded(a, ctx, code), std::less<>());
}

REGISTER(TopK, nan_by_bits, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
