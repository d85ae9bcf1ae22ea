#pragma once
// What an element of A·B is by definition.

#include <cstdint>

namespace tandem {

/// Row i of A times column j of B.
template <class C>
typename C::Sum dot(const typename C::Args& g, std::int64_t i, std::int64_t j) {
  using Sum = typename C::Sum;
  Sum sum = 0;
  for (std::int64_t p = 0; p < g.k; ++p) sum += Sum(g.a(i, p)) * Sum(g.b(p, j));
  return sum;
}

}  // namespace tandem
