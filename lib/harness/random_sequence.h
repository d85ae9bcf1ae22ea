#pragma once
// The random numbers that random is tried with past 2^31, to be checked where they lie.

#include "lib/harness/closed_form.h"
#include "tandem/distributions.h"
#include "tandem/sobol.h"

namespace tandem {

/// The bits of element i: those of number first + i of a sequence.
template <class Words, class Distribution>
struct SequenceView {
  using Value = detail::WordOf<typename Distribution::Value>;
  Words words;
  Distribution distribution;
  std::uint64_t first;
  TANDEM_HD Value operator()(std::int64_t index) const {
    return __builtin_bit_cast(Value,
                              random_element(distribution, words, first + static_cast<std::uint64_t>(index)));
  }
};

/// The words and distributions that have one.
#define TANDEM_SEQUENCES(ROW)         \
  ROW(Philox, Uniform<std::uint32_t>) \
  ROW(Philox, Poisson<std::uint32_t>) \
  ROW(Sobol, Uniform<std::uint32_t>)  \
  ROW(Philox, Normal<float>)          \
  ROW(Philox, Normal<double>)
#define TANDEM_ROW(W, D) || (std::is_same_v<Words, W> && std::is_same_v<Distribution, D>)
template <class Words, class Distribution>
inline constexpr bool has_sequence = false TANDEM_SEQUENCES(TANDEM_ROW);
#undef TANDEM_ROW

}  // namespace tandem
