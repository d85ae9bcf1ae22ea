#pragma once
// Transforms of 2, 3, 4, 5, 7 and 8 numbers in registers.

#include "lib/ops/fft/complex.h"

namespace tandem {

/// Cosine and sine of j/R of a turn, 0 ≤ j < R.
template <int R>
TANDEM_HD constexpr double turn_cos(int j) {
  const int nearer = j > R / 2 ? R - j : j;
  if (nearer == 0) return 1;
  if constexpr (R == 3) return -0.5;
  if constexpr (R == 5) return nearer == 1 ? 0.30901699437494742410 : -0.80901699437494742410;
  return nearer == 1   ? 0.62348980185873353053
         : nearer == 2 ? -0.22252093395631440429
                       : -0.90096886790241912624;
}
template <int R>
TANDEM_HD constexpr double turn_sin(int j) {
  const int nearer = j > R / 2 ? R - j : j;
  const double sign = j > R / 2 ? -1 : 1;
  if (nearer == 0) return 0;
  if constexpr (R == 3) return sign * 0.86602540378443864676;
  if constexpr (R == 5) return sign * (nearer == 1 ? 0.95105651629515357212 : 0.58778525229247312917);
  return sign * (nearer == 1   ? 0.78183148246802980871
                 : nearer == 2 ? 0.97492791218182360702
                               : 0.43388373911755812048);
}

/// Replaces v by its transform. For odd R: sums and differences of v[j] and v[R−j] are enough for two results.
template <int R, class T>
TANDEM_HD void butterfly(Complex<T> (&v)[R]) {
  if constexpr (R == 2) {
    const Complex<T> a = v[0], b = v[1];
    v[0] = a + b, v[1] = a - b;
  } else if constexpr (R == 4) {
    const Complex<T> a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = by_minus_i(v[1] - v[3]);
    v[0] = a + c, v[1] = b + d, v[2] = a - c, v[3] = b - d;
  } else if constexpr (R == 8) {
    const T kHalf = T(0.70710678118654752440);  // √½
    Complex<T> even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
    butterfly<4>(even), butterfly<4>(odd);
    odd[1] = kHalf * (odd[1] + by_minus_i(odd[1]));
    odd[2] = by_minus_i(odd[2]);
    odd[3] = kHalf * (by_minus_i(odd[3]) - odd[3]);
    for (int k = 0; k < 4; ++k) v[k] = even[k] + odd[k], v[k + 4] = even[k] - odd[k];
  } else {
    constexpr int kPairs = R / 2;
    Complex<T> sum[kPairs], difference[kPairs], first = v[0];
    for (int j = 1; j <= kPairs; ++j) {
      sum[j - 1] = v[j] + v[R - j], difference[j - 1] = by_minus_i(v[j] - v[R - j]);
      v[0] = v[0] + sum[j - 1];
    }
    for (int k = 1; k <= kPairs; ++k) {
      Complex<T> even = first, odd{0, 0};
      for (int j = 1; j <= kPairs; ++j) {
        even = even + static_cast<T>(turn_cos<R>(j * k % R)) * sum[j - 1];
        odd = odd + static_cast<T>(turn_sin<R>(j * k % R)) * difference[j - 1];
      }
      v[k] = even + odd, v[R - k] = even - odd;
    }
  }
}

}  // namespace tandem
