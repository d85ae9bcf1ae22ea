// Wrong:   adds 0 to each element, so that −0 becomes +0.
// Caught:  results are compared bit by bit.

#include "tests/wrong/select/loop.h"

namespace tandem {
namespace {

template <class C>
void zero_signs_lost(const typename C::Args& a, Context&) {
  const std::int64_t kept = select_in_turn(a, [&](std::int64_t i) { return a.keeps(i); });
  using T = typename C::T;
  for (std::int64_t k = 0; k < kept; ++k) a.out[k] = static_cast<T>(a.out[k] + T(0));
}

REGISTER(Select, zero_signs_lost, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
