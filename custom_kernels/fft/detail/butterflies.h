#pragma once
// Transforms of 2, 3, 4, 5, 7, 8, 16, 32, 9 and 25 numbers, and of products of two of them without a common factor, in registers.

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

/// Cosine and sine of an angle up to 45°.
TANDEM_HD constexpr double small_cos(double angle, bool sine = false) {
  double term = sine ? angle : 1, sum = term;
  for (int i = sine ? 2 : 1; i < 22; i += 2) sum += term *= -angle * angle / (i * (i + 1));
  return sum;
}
/// Cosine of j/n of a turn, 0 ≤ j; its sine is the cosine a quarter before.
TANDEM_HD constexpr double cos_of_turn(int j, int n) {
  const int at = 8 * (j % n), octant = at / n, rest = at % n;  // in eighths of 1/n of a turn
  const double angle = 0.78539816339744830962 * (octant % 2 ? n - rest : rest) / n;
  const bool sine = (octant + 1) / 2 % 2;
  return (octant >= 2 && octant < 6 ? -1 : 1) * small_cos(angle, sine);
}

/// The first factor of a radix that is transformed as a matrix, 1 where it is not; and x with a·x = 1 modulo b.
TANDEM_HD constexpr int first_factor(int radix) {
  if (radix == 9) return 3;
  if (radix % 5 == 0 && radix > 5) return 5;
  if (radix % 7 == 0 && radix > 7) return 7;
  if (radix == 18) return 9;
  return radix % 3 == 0 && radix > 3 ? 3 : 1;
}
TANDEM_HD constexpr int inverse_modulo(int a, int b) {
  for (int x = 1; x < b; ++x) {
    if (a * x % b == 1) return x;
  }
  return 0;
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
  } else if constexpr (R == 16) {
    // As a matrix of 4 × 4: columns, roots of 16, rows.
    constexpr T kHalf = T(0.70710678118654752440);                                   // √½
    constexpr T kCos = T(0.92387953251128675613), kSin = T(0.38268343236508977173);  // of π/8
    Complex<T> u[4][4];
    for (int b = 0; b < 4; ++b) {
      for (int a = 0; a < 4; ++a) u[b][a] = v[4 * a + b];
      butterfly<4>(u[b]);
    }
    const auto eighth = [&](const Complex<T>& x) { return kHalf * (x + by_minus_i(x)); };  // of a turn, back
    u[1][1] = Complex<T>{kCos, -kSin} * u[1][1];
    u[1][2] = eighth(u[1][2]);
    u[1][3] = Complex<T>{kSin, -kCos} * u[1][3];
    u[2][1] = eighth(u[2][1]);
    u[2][2] = by_minus_i(u[2][2]);
    u[2][3] = by_minus_i(eighth(u[2][3]));
    u[3][1] = Complex<T>{kSin, -kCos} * u[3][1];
    u[3][2] = by_minus_i(eighth(u[3][2]));
    u[3][3] = Complex<T>{-kCos, kSin} * u[3][3];
    for (int k = 0; k < 4; ++k) {
      Complex<T> row[4] = {u[0][k], u[1][k], u[2][k], u[3][k]};
      butterfly<4>(row);
      for (int i = 0; i < 4; ++i) v[k + 4 * i] = row[i];
    }
  } else if constexpr (R == 32) {
    // As a matrix of 8 × 4: columns, roots of 32, rows.
    constexpr T kCos[] = {1, T(0.98078528040323044913), T(0.92387953251128675613), T(0.83146961230254523708)};
    constexpr T kSin[] = {0, T(0.19509032201612826785), T(0.38268343236508977173), T(0.55557023301960222474)};
    Complex<T> u[4][8];
    for (int b = 0; b < 4; ++b) {
      for (int a = 0; a < 8; ++a) u[b][a] = v[4 * a + b];
      butterfly<8>(u[b]);
      for (int k = 1; b > 0 && k < 8; ++k) {  // times root bk of 32, as one of the first eighth of a turn
        const int at = b * k, quarters = at / 8, rest = at % 8, nearer = rest > 4 ? 8 - rest : rest;
        Complex<T>& x = u[b][k];
        if (nearer == 4) {
          x = T(0.70710678118654752440) * (x + by_minus_i(x));
        } else if (rest > 0) {
          const T c = rest > 4 ? kSin[nearer] : kCos[nearer], s = rest > 4 ? kCos[nearer] : kSin[nearer];
          x = Complex<T>{c, -s} * x;
        }
        for (int q = 0; q < quarters; ++q) x = by_minus_i(x);
      }
    }
    for (int k = 0; k < 8; ++k) {
      Complex<T> row[4] = {u[0][k], u[1][k], u[2][k], u[3][k]};
      butterfly<4>(row);
      for (int i = 0; i < 4; ++i) v[k + 8 * i] = row[i];
    }
  } else if constexpr (first_factor(R) > 1) {
    // As a matrix of A × B. Without a common factor, numbers taken in another order need no roots between columns and rows (Good).
    constexpr int A = first_factor(R), B = R / A;
    constexpr int kToA = B * inverse_modulo(B, A), kToB = A * inverse_modulo(A, B);
    Complex<T> u[B][A];
    for (int b = 0; b < B; ++b) {
      for (int a = 0; a < A; ++a) u[b][a] = v[A == B ? B * a + b : (B * a + A * b) % R];
      butterfly<A>(u[b]);
      for (int k = 1; A == B && b > 0 && k < A; ++k) {
        constexpr auto kRoots = [] {
          struct {
            T cos[R], sin[R];
          } roots{};
          for (int j = 0; j < R; ++j) {
            roots.cos[j] = static_cast<T>(cos_of_turn(j, R));
            roots.sin[j] = static_cast<T>(cos_of_turn(4 * j + 3 * R, 4 * R));
          }
          return roots;
        }();
        u[b][k] = Complex<T>{kRoots.cos[b * k], -kRoots.sin[b * k]} * u[b][k];
      }
    }
    for (int k = 0; k < A; ++k) {
      Complex<T> row[B];
      for (int b = 0; b < B; ++b) row[b] = u[b][k];
      butterfly<B>(row);
      for (int i = 0; i < B; ++i) v[A == B ? k + A * i : (kToA * k + kToB * i) % R] = row[i];
    }
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
