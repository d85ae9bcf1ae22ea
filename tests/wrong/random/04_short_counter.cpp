// Wrong:   counters have 32 bits.
// Caught:  offsets behind 2^34, and both sides of it.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void short_counter(const typename C::Args& a, Context&) {
  numbers_in_turn<C>(a, [](std::uint64_t i) { return i & 0x3FFFFFFFF; });
}

REGISTER(Random, short_counter, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
