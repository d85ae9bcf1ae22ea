// Wrong:   numbers are made in half of their digits.
// Caught:  numbers compared bit by bit.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void low_bits_lost(const typename C::Args& a, Context&) {
  numbers_in_turn<C>(
      a, [](std::uint64_t i) { return i; },
      [](auto x) {
        auto bits = __builtin_bit_cast(detail::WordOf<decltype(x)>, x);
        bits &= ~detail::WordOf<decltype(x)>{0xFF};
        return __builtin_bit_cast(decltype(x), bits);
      });
}

REGISTER(Random, low_bits_lost, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
