#pragma once
// Transforms of 2, 3, 4, 5, 7 and 8 numbers in registers.

#include "lib/ops/fft/complex.h"

namespace tandem {

namespace detail {
/// Cosines and sines of j/R of a turn, j = 0 … (R−1)/2.
template <class T, int R>
struct Turn;
template <class T>
struct Turn<T, 3> {
  static constexpr T cos[] = {1, T(-0.5L)};
  static constexpr T sin[] = {0, T(0.866025403784438646763723170752936183L)};
};
template <class T>
struct Turn<T, 5> {
  static constexpr T cos[] = {1, T(0.309016994374947424102293417182819059L),
                              T(-0.809016994374947424102293417182819059L)};
  static constexpr T sin[] = {0, T(0.951056516295153572116439333379382143L),
                              T(0.587785252292473129168705954639072769L)};
};
template <class T>
struct Turn<T, 7> {
  static constexpr T cos[] = {1, T(0.623489801858733530525004884004239811L),
                              T(-0.222520933956314404288902564496794760L),
                              T(-0.900968867902419126236102319507445052L)};
  static constexpr T sin[] = {0, T(0.781831482468029808708444526674057751L),
                              T(0.974927912181823607018131682993931217L),
                              T(0.433883739117558120475768332848358754L)};
};
}  // namespace detail

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
    constexpr T kHalf = T(0.707106781186547524400844362104849039L);  // √½
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
        const int turn = j * k % R;  // of R; the other half mirrors
        constexpr T kMinus = -1;
        const T c = detail::Turn<T, R>::cos[turn <= kPairs ? turn : R - turn];
        const T s = detail::Turn<T, R>::sin[turn <= kPairs ? turn : R - turn];
        even = even + c * sum[j - 1];
        odd = odd + (turn <= kPairs ? s : kMinus * s) * difference[j - 1];
      }
      v[k] = even + odd, v[R - k] = even - odd;
    }
  }
}

}  // namespace tandem
