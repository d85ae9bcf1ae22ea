#pragma once
// The one comparator of the project. A class check comes first (NaN with NaN, infinities by sign), then the
// error must not exceed a proven bound. Anything else, such as a tolerance that NaN satisfies, lets wrong
// answers through.

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "lib/core/test_elements.h"
#include "tandem/export.h"

namespace tandem {

struct Verdict {
  bool correct = true;
  double worst = 0;           // largest error ÷ bound; infinite where a wrong result has no meaningful ratio
  std::int64_t index = -1;    // where it is; -1 when every element is exact
  std::string text;           // what is wrong, empty when correct
  bool digits_alone = false;  // wrong, but by nothing else than results that are less accurate than allowed
  const char* input = "";     // what that is due to, as .loses_digits_on names it; empty: the trial's input

  TANDEM_API static Verdict wrong(std::string text, std::int64_t index = -1);
  /// Keeps the worse of two.
  TANDEM_API void include(const Verdict& other);
};

/// Error ÷ bound of one element: 0 when equal, infinite when the classes differ or an exact result (bound 0)
/// is missed.
template <class T>
double error_ratio(T got, T want, double bound) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if constexpr (is_narrow_float<T>) {
    return error_ratio<float>(got, want, bound);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : kWrong;
    if (std::isinf(want) || std::isinf(got)) return want == got ? 0 : kWrong;
    const long double error = std::fabs(static_cast<long double>(got) - static_cast<long double>(want));
    return error == 0 ? 0 : bound > 0 ? static_cast<double>(error / bound) : kWrong;
  } else {
    return got == want ? 0 : kWrong;
  }
}

/// Which elements of one class are the same.
enum class Same : std::uint8_t {
  value,  // −0 is +0, any NaN is any other
  sign,   // −0 is not +0
  bits,   // nor is a NaN one of another payload, which counts as an error of twice the bound
  digits  // the same, and so does a zero of the other sign
};

/// Compares element by element. `bounds` holds the largest error allowed for each; empty means all must be
/// exact. O(n).
template <class T>
TANDEM_API Verdict compare(std::span<const T> got, std::span<const T> want,
                           std::span<const double> bounds = {}, Same same = Same::value);

/// γ_k = k·u / (1 − k·u): the relative error that k roundings can add up to (Higham 2002, section 3.1); u =
/// ε/2.
template <class T>
double gamma(double roundings) {
  if constexpr (std::is_floating_point_v<T>) {
    const double ku = roundings * std::numeric_limits<T>::epsilon() / 2;
    return ku < 1 ? ku / (1 - ku) : std::numeric_limits<double>::infinity();  // then nothing is promised
  } else {
    return 0;
  }
}

/// What a result can be off by that was off by `error` and is then rounded to T, where T is narrow. So is what it is compared
/// with: |got − x| ≤ e + u(|x| + e) + η/2, |want − x| ≤ u|x| + η/2.
template <class T>
double rounded_error(double error, T want) {
  if constexpr (is_narrow_float<T>) {
    using Limits = std::numeric_limits<T>;
    const double unit = Limits::epsilon() / 2.0, exact = std::fabs(static_cast<double>(want));
    return error * (1 + unit) + 2 * unit * (1 + unit) * exact + Limits::denorm_min();
  } else {
    return error;
  }
}

/// What `results` that underflow can be off by, each by up to half of the smallest number above zero, with as much
/// again for the reference.
template <class T>
double underflow(double results) {
  if constexpr (std::is_floating_point_v<T>)
    return results * static_cast<double>(std::numeric_limits<T>::denorm_min());
  else
    return 0;
}

}  // namespace tandem
