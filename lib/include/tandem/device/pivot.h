#pragma once
// Pivots that elimination cannot divide by, and the status word in which a batch of systems reports the first
// of them. For host code as for device code.

#include <atomic>
#include <cstdint>
#include <limits>

#include "tandem/export.h"
#if defined(__CUDACC__) || defined(TANDEM_SIMT)
#include "tandem/device/launch.cuh"
#endif

namespace tandem {

namespace detail {
template <class T>
inline constexpr T kSmallestNormal =
    std::numeric_limits<T>::min();  // device code may read it, but not call min()
}

/// False for zero, for numbers so small that their reciprocal may overflow, and for NaN.
template <class T>
TANDEM_HD bool usable(T pivot) {
  return (pivot < T(0) ? -pivot : pivot) >= detail::kSmallestNormal<T>;
}

/// A pivot that is not usable. A status word holds 0 or the first failure of a batch in the order (system,
/// row): the earlier of two failures has the larger word, so an atomic maximum keeps it.
struct PivotFailure {
  std::int64_t system, row;

  /// n: rows of the longest system. Bits from the top, inverted: 6 for the width of a row number, 58 for
  /// system and row.
  TANDEM_HD static std::uint64_t encode(std::int64_t n, std::int64_t system, std::int64_t row) {
    std::uint64_t width = 0;
    while (width < 48 && (n - 1) >> width) ++width;
    return ~(width << 58 | static_cast<std::uint64_t>(system) << width | static_cast<std::uint64_t>(row));
  }
  static PivotFailure decode(std::uint64_t status) {
    const std::uint64_t width = ~status >> 58, number = ~status & ((std::uint64_t{1} << 58) - 1);
    return {static_cast<std::int64_t>(number >> width),
            static_cast<std::int64_t>(number & ((std::uint64_t{1} << width) - 1))};
  }
};

/// Called by one thread: the status word, which others may be changing.
TANDEM_HD inline std::uint64_t reported(std::uint64_t* status) {
#if defined(__CUDA_ARCH__)
  return atomicMax(reinterpret_cast<unsigned long long*>(status), 0ull);
#elif defined(TANDEM_SIMT)
  return atomicMax(status, std::uint64_t{0});
#else
  return std::atomic_ref<std::uint64_t>(*status).load();
#endif
}

/// Called by one thread: row `row` of system `system` has no usable pivot. (Rows that pad a system beyond its
/// n rows are those of the identity, so none of them fails.)
TANDEM_HD inline void report_pivot(std::uint64_t* status, std::int64_t n, std::int64_t system,
                                   std::int64_t row) {
  const std::uint64_t failure = PivotFailure::encode(n, system, row);
#if defined(__CUDA_ARCH__)
  atomicMax(reinterpret_cast<unsigned long long*>(status), failure);
#elif defined(TANDEM_SIMT)
  atomicMax(status, failure);
#else
  std::atomic_ref<std::uint64_t> word(*status);
  std::uint64_t old = word.load();
  while (old < failure && !word.compare_exchange_weak(old, failure)) {
  }
#endif
}

/// Called by one thread: the row in which elimination from the top meets no usable pivot, or `none`. equation(i) returns row i
/// with its .lower, .diag and .upper, 0 beyond the ends. O(n).
template <class T, class Equation>
TANDEM_HD std::int64_t first_unusable_pivot(std::int64_t n, std::int64_t none, const Equation& equation) {
  T c = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto row = equation(i);
    const T pivot = row.diag - row.lower * c;
    if (!usable(pivot)) return i;
    c = row.upper * (T(1) / pivot);
  }
  return none;
}

}  // namespace tandem
