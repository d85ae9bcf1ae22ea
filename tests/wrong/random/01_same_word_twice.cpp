// Wrong:   neighbouring numbers are made of one word.
// Caught:  every trial of more than one number.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void same_word_twice(const typename C::Args& a, Context&) {
  numbers_in_turn<C>(a, [](std::uint64_t i) { return i & ~std::uint64_t{1}; });
}

REGISTER(Random, same_word_twice, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
