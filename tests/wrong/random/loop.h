#pragma once
// The loop that wrong steps on the host start from.

#include "lib/ops/random/contract.h"

namespace tandem {

/// Right where element(i) is i, key is the call's and finish(x) is x.
template <class C, class Element, class Finish>
void numbers_in_turn(typename C::Args a, Element element, Finish finish) {
  with_random<C>(a, [&](const auto& words, const auto& distribution) {
    for (std::int64_t i = 0; i < a.n; ++i)
      a.out[i] =
          finish(random_element(distribution, words, element(a.key.offset + static_cast<std::uint64_t>(i))));
  });
}
template <class C, class Element>
void numbers_in_turn(const typename C::Args& a, Element element) {
  numbers_in_turn<C>(a, element, [](auto x) { return x; });
}

}  // namespace tandem
