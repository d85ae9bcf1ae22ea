// Wrong:   every call begins at the start of the sequence.
// Caught:  offsets other than 0.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void offset_ignored(const typename C::Args& a, Context&) {
  numbers_in_turn<C>(a, [&](std::uint64_t i) { return i - a.key.offset; });
}

REGISTER(Random, offset_ignored, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
