// Wrong:   the high half of the seed is 0.
// Caught:  seeds of more than 32 bits.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void seeds_high_half_ignored(const typename C::Args& a, Context&) {
  typename C::Args low = a;
  low.key.seed &= 0xFFFFFFFF;
  numbers_in_turn<C>(low, [](std::uint64_t i) { return i; });
}

REGISTER(Random, seeds_high_half_ignored, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
