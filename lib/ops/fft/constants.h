#pragma once
// Constants of a length, made on the CPU at its first call in a wider type, and kept in the memory of a context.

#include <span>

#include "lib/ops/fft/contract.h"

namespace tandem {

/// e^(−2πi k/n), k = 0 … n−1. O(n), once. T: float, double.
template <class T>
TANDEM_API const Complex<T>* roots(Context& ctx, std::int64_t n);
/// The first `count` of them. O(count), once.
template <class T>
TANDEM_API const Complex<T>* first_roots(Context& ctx, std::int64_t n, std::int64_t count);

/// Each `step`th of all. O(n/step), once.
template <class T>
TANDEM_API const Complex<T>* stepped_roots(Context& ctx, std::int64_t n, std::int64_t step);

/// Roots as passes of these radices read them, the first of stride 1 and each of the product of those before it. A pass of radix R
/// and stride s > 1 has, one behind the other for each power of two p < R, e^(−2πi pk/(sR)), k = 0 … s−1. O(their product), once.
template <class T>
TANDEM_API const Complex<T>* pass_roots(Context& ctx, std::span<const int> radices);

/// Roots between the columns and the rows of a row as a matrix of n1 × n2 numbers: e^(−2πi kc/(n1·n2)) for result k of column c.
/// For each `together` neighbouring columns, of the last of which some may lie behind the matrix: for each k the real parts of all, then the imaginary ones.
/// O(n1·n2), once.
template <class T>
TANDEM_API const T* matrix_roots(Context& ctx, std::int64_t n1, std::int64_t n2, std::int64_t together);

/// Bluestein's algorithm: with jk = (j² + k² − (k−j)²)/2 a transform of any length is a convolution with a chirp,
/// c[j] = e^(−πi j²/n), and this one is made by transforms of a power of two.
template <class T>
struct Chirp {
  std::int64_t n, m;           // m: Fft::convolution_size(n)
  const Complex<T>* chirp;     // c[j], n numbers
  const Complex<T>* spectrum;  // the transform of conj(c[|j|]) of period m, divided by m
};
/// O(m log m), once. T: float, double.
template <class T>
TANDEM_API Chirp<T> chirp_of(Context& ctx, std::int64_t n);

}  // namespace tandem
