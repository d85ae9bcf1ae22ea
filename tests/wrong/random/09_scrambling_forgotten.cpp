// Wrong:   Sobol's points are not scrambled.
// Caught:  points with an exclusive or, and with Owen's scrambling.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void scrambling_forgotten(const typename C::Args& a, Context&) {
  typename C::Args plain = a;
  plain.key.scrambling = Scrambling::none;
  numbers_in_turn<C>(plain, [](std::uint64_t i) { return i; });
}

REGISTER(Random, scrambling_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
