// Wrong:   Sobol's points are those of one coordinate.
// Caught:  points of several.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void one_dimension(const typename C::Args& a, Context&) {
  typename C::Args one = a;
  one.key.dimensions = 1;
  numbers_in_turn<C>(one, [](std::uint64_t i) { return i; });
}

REGISTER(Random, one_dimension, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
