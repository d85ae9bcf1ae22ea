// Wrong:   the key's halves are exchanged.
// Caught:  seeds whose halves differ.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void seeds_halves_exchanged(const typename C::Args& a, Context&) {
  typename C::Args other = a;
  other.key.seed = a.key.seed << 32 | a.key.seed >> 32;
  numbers_in_turn<C>(other, [](std::uint64_t i) { return i; });
}

REGISTER(Random, seeds_halves_exchanged, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
