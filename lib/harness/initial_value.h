#pragma once
// Initial values that scans are tested with.

#include <cstdint>
#include <type_traits>

#include "lib/core/registry.h"

namespace tandem {

/// Not exact in a narrower type, where results are still exact in the case's own.
template <class C>
typename C::T initial_value(std::uint64_t seed) {
  using T = typename C::T;
  using Acc = accumulator_t<T>;
  constexpr OperatorId op = C::Op::id;
  if constexpr (std::is_same_v<T, Bicyclic>) {
    return {1, 2};
  } else if constexpr (op == OperatorId::logical_and || op == OperatorId::logical_or) {
    return static_cast<T>(seed % 2);
  } else {
    constexpr bool kOrder = op == OperatorId::minimum || op == OperatorId::maximum;
    const Acc fine = std::is_same_v<T, double>         ? static_cast<Acc>(0x1p-30)
                     : std::is_same_v<T, float>        ? static_cast<Acc>(0x1p-8)
                     : is_narrow_float<T>              ? static_cast<Acc>(0x1p-5)
                     : kOrder                          ? 0
                     : std::is_same_v<T, std::int64_t> ? static_cast<Acc>(std::int64_t{1} << 40)
                                                       : static_cast<Acc>(1 << 24);
    return static_cast<T>(op == OperatorId::multiplies ? static_cast<Acc>(-1 - fine)
                                                       : static_cast<Acc>(3 + fine));
  }
}

}  // namespace tandem
