#pragma once
// Test data from a seed. Element i depends on (seed, i) alone, so any part can be made in any order on any
// machine.

#include <cstdint>
#include <span>
#include <string_view>

#include "lib/core/random_bits.h"
#include "lib/core/test_elements.h"

namespace tandem {

/// What kind of values a test uses. Everything but `real` and `cancelling` is chosen so that every order of
/// applying the operator gives the same bits, and results can be compared exactly.
enum class Values : std::uint8_t {
  exact,       // small integers; for products ±1 with a few ±2 and ±½
  real,        // uniform reals: compared within a bound
  cancelling,  // large values of both signs that nearly cancel: compared within a bound
  zeros,
  ones,
  extreme,   // integers over their whole range; floating-point maxima for minimum and maximum
  nan,       // exact, with one NaN
  infinity,  // exact, with one +∞
  denormal,  // multiples of the smallest number
  bits,      // any bits at all, −0 and NaN of every payload among them: for what only moves elements
};
inline constexpr int kValuesCount = 9;        // of operations that compute
inline constexpr int kMovedValuesCount = 10;  // of those that move elements
TANDEM_API std::string_view name(Values values);

/// True when results must be exact for this operator and type.
inline bool is_exact(Values values, CaseId id) {
  const bool rounds = id.op == OperatorId::plus || id.op == OperatorId::multiplies;
  return !(is_floating(id.type) && rounds && (values == Values::real || values == Values::cancelling));
}

/// Decisions that follow from a seed, one after the other.
class TANDEM_API Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  /// From 0 to n − 1, each as likely; n at least 1.
  std::int64_t below(std::int64_t n);
  bool one_in(std::int64_t n) { return below(n) == 0; }
  /// From least to most, every doubling as likely as any other; one in four is a power of two or a multiple of
  /// 64, where there is one. `most` below `least` counts as `least`, which is at least 1.
  std::int64_t size(std::int64_t least, std::int64_t most);
  /// The number of the next draw alone: a seed for data.
  std::uint64_t bits() { return random_bits(seed_, turn_++); }

 private:
  std::uint64_t seed_, turn_ = 0;
};

/// Fills `out` with operands for `op`. O(n), on all threads.
template <class T>
void fill_random(std::span<T> out, OperatorId op, Values values, std::uint64_t seed);

}  // namespace tandem
