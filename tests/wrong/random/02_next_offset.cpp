// Wrong:   the sequence begins one number late.
// Caught:  every trial.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void next_offset(const typename C::Args& a, Context&) {
  numbers_in_turn<C>(a, [](std::uint64_t i) { return i + 1; });
}

REGISTER(Random, next_offset, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
