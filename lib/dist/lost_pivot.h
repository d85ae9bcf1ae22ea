#pragma once
// Which pivots elimination over ranks does not trust.

#include <cmath>

#include "tandem/device/pivot.h"

namespace tandem::detail {

/// Whether elimination lost so many digits that the rows it leads to are not to be trusted: the pivot may be zero but for
/// rounding. Where the diagonal dominates strictly, no order of elimination loses any.
template <class T>
TANDEM_HD inline bool is_lost(T pivot, T lower, T diag, T upper) {
  constexpr T kLeast = sizeof(T) == 4 ? T(0x1p-6) : T(0x1p-13);  // ε^¼
  const auto larger = [](T a, T b) { return a < b ? b : a; };
  const T scale = larger(larger(std::fabs(lower), std::fabs(upper)), std::fabs(diag));
  return !(std::fabs(pivot) >= larger(kLeast * scale, kSmallestNormal<T>));
}

}  // namespace tandem::detail
