#pragma once
// The matrices that tridiagonal is tested with: among them the twelve types of LAPACK's test programs (LAPACK
// Working Note 41, section 6).

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lib/harness/test_data.h"
#include "lib/ops/tridiagonal/contract.h"

namespace tandem {

enum class Matrix : std::uint8_t {
  dominant,   // random, |diag| > |lower| + |upper|
  laplacian,  // −1, 2, −1
  lapack1,    // diagonal
  lapack2,    // singular values between 1 and ½
  lapack3,    // condition √(0.1/ε)
  lapack4,    // condition 0.1/ε
  lapack5,    // as 2, near underflow
  lapack6,    // as 2, near overflow
  lapack7,    // random
  lapack8,    // as 7, first column zero
  lapack9,    // as 7, last column zero
  lapack10,   // as 7, last half of the columns zero
  lapack11,   // as 7, near underflow
  lapack12,   // as 7, near overflow
  mixed,      // as 7, one column of zeros in every third system of a batch
  late,       // the same from system kLate on; no value of an axis, because only large batches have it
};
inline constexpr int kMatrices = 15;          // without late
inline constexpr std::int64_t kLate = 1'100;  // a number of more than ten bits

inline const char* name(Matrix matrix) {
  constexpr const char* kNames[] = {"dominant", "laplacian", "lapack1", "lapack2", "lapack3", "lapack4",
                                    "lapack5",  "lapack6",   "lapack7", "lapack8", "lapack9", "lapack10",
                                    "lapack11", "lapack12",  "mixed",   "late"};
  return kNames[static_cast<int>(matrix)];
}

/// Coefficients of one system, generated row by row.
template <class T>
struct Coefficients {
  std::vector<T> lower, diag, upper;
};

inline double uniform(std::uint64_t seed, std::int64_t i) {  // in [−1, 1)
  return static_cast<double>(random_bits(seed, static_cast<std::uint64_t>(i)) >> 11) * 0x1p-52 - 1;
}

/// Blocks of two rows with singular values from 1 down to 1/condition: products rotation · diagonal ·
/// rotation, which stay tridiagonal and have small and vanishing diagonals in any row.
template <class T>
void fill_blocks(Coefficients<T>& a, double condition, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(a.diag.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double s = std::pow(condition, -std::fabs(uniform(seed, 4 * i)));
    if (i + 1 == n) {
      a.diag[at] = static_cast<T>(s);
      return;
    }
    const double t = std::pow(condition, -std::fabs(uniform(seed, 4 * i + 1)));
    // Every fourth block exchanges its two rows.
    const double p = i % 8 == 0 ? 1.5707963267948966 : 3.2 * uniform(seed, 4 * i + 2),
                 q = 3.2 * uniform(seed, 4 * i + 3);
    a.diag[at] = static_cast<T>(std::cos(p) * s * std::cos(q) - std::sin(p) * t * std::sin(q));
    a.upper[at] = static_cast<T>(-std::cos(p) * s * std::sin(q) - std::sin(p) * t * std::cos(q));
    a.lower[at + 1] = static_cast<T>(std::sin(p) * s * std::cos(q) + std::cos(p) * t * std::sin(q));
    a.diag[at + 1] = static_cast<T>(-std::sin(p) * s * std::sin(q) + std::cos(p) * t * std::cos(q));
    ++i;
  }
}

/// The row in which elimination meets no usable pivot; −1 where it meets none. Without an exchange of rows as
/// with one it is the first column of zeros.
inline std::int64_t singular_row(Matrix kind, std::int64_t n, std::int64_t system) {
  switch (kind) {
    case Matrix::lapack8:
      return 0;
    case Matrix::lapack9:
      return n - 1;
    case Matrix::lapack10:
      return n / 2;
    case Matrix::late:
      if (system < kLate) return -1;
      [[fallthrough]];
    case Matrix::mixed:
      return system % 3 == 1 ? static_cast<std::int64_t>(random_bits(5, static_cast<std::uint64_t>(system)) %
                                                         static_cast<std::uint64_t>(n))
                             : -1;
    default:
      return -1;
  }
}

template <class T>
Coefficients<T> coefficients(Matrix kind, std::int64_t n, std::int64_t system, bool pivot,
                             std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(n);
  Coefficients<T> a{std::vector<T>(size), std::vector<T>(size), std::vector<T>(size)};
  const double epsilon = std::numeric_limits<T>::epsilon();
  switch (kind) {
    case Matrix::laplacian:
      std::fill(a.lower.begin(), a.lower.end(), T(-1));
      std::fill(a.diag.begin(), a.diag.end(), T(2));
      std::fill(a.upper.begin(), a.upper.end(), T(-1));
      break;
    case Matrix::lapack2:
    case Matrix::lapack5:
    case Matrix::lapack6:
      fill_blocks(a, 2, seed);
      break;
    case Matrix::lapack3:
      fill_blocks(a, std::sqrt(0.1 / epsilon), seed);
      break;
    case Matrix::lapack4:
      fill_blocks(a, 0.1 / epsilon, seed);
      break;
    default:
      for (std::size_t i = 0; i < size; ++i) {
        const auto at = static_cast<std::int64_t>(3 * i);
        a.lower[i] = kind == Matrix::lapack1 ? T(0) : static_cast<T>(uniform(seed, at));
        a.upper[i] = kind == Matrix::lapack1 ? T(0) : static_cast<T>(uniform(seed, at + 1));
        a.diag[i] = static_cast<T>(uniform(seed, at + 2));
        if (kind == Matrix::lapack1) a.diag[i] += std::copysign(T(0.5), a.diag[i]);
      }
  }
  // Where no row may be exchanged, the diagonal dominates.
  const bool whole = kind != Matrix::laplacian && kind != Matrix::lapack1;
  if (!pivot && whole) {
    for (std::size_t i = 0; i < size; ++i)
      a.diag[i] += std::copysign(std::fabs(a.lower[i]) + std::fabs(a.upper[i]) + T(0.125), a.diag[i]);
  }
  const auto zero_column = [&](std::size_t j) {
    a.diag[j] = 0;
    if (j > 0) a.upper[j - 1] = 0;
    if (j + 1 < size) a.lower[j + 1] = 0;
  };
  if (const std::int64_t first = singular_row(kind, n, system); first >= 0) {
    const auto j = static_cast<std::size_t>(first);
    zero_column(j);
    for (std::size_t more = j + 1; more < size && kind == Matrix::lapack10; ++more) zero_column(more);
  }
  int exponent = 0;
  if (kind == Matrix::lapack5 || kind == Matrix::lapack11) exponent = -1;
  if (kind == Matrix::lapack6 || kind == Matrix::lapack12) exponent = 1;
  exponent *= sizeof(T) == 4 ? 96 : 960;
  for (auto* x : {&a.lower, &a.diag, &a.upper}) {
    for (T& value : *x) value = std::ldexp(value, exponent);
  }
  return a;
}

/// Whether a batch has a system that must be reported.
inline bool is_singular(Matrix kind) { return singular_row(kind, 1, 3 * kLate + 1) >= 0; }

}  // namespace tandem
