#pragma once
// A number of each of several rows on the CPU, in the lanes of a vector: rows are transformed together without shuffles,
// whatever the radix.

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "custom_kernels/transpose/detail/vectors.h"
#include "lib/core/target_clones.h"
#include "lib/ops/fft/complex.h"

// No call passes such a vector: all that has one is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tandem {

template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(32)));
  static constexpr int kCount = 32 / sizeof(T);
  Vector v;

  Lanes() = default;
  Lanes(double everywhere) : v(Vector{} + static_cast<T>(everywhere)) {}
  explicit Lanes(const Vector& v) : v(v) {}
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  friend Lanes operator-(const Lanes& a) { return Lanes(-a.v); }

  T& lane(std::int64_t i) { return reinterpret_cast<T*>(&v)[i]; }
};

/// Where rows of complex numbers lie: the parts of number j of row i at first + i·across + j·along, or the other way round.
template <class T>
struct RowParts {
  T* first = nullptr;  // null: not in memory as such
  std::int64_t across = 0, along = 2;
  bool swapped = false;               // real parts stand where imaginary ones do, and the other way round
  std::remove_const_t<T> factor = 1;  // of what is written

  T* at(std::int64_t row, std::int64_t j) const { return first + row * across + j * along; }
};

/// Even and odd elements of two vectors that lie side by side, and back.
template <class T, int... i>
void split_pairs(const T* from, Complex<Lanes<T>>& to, std::integer_sequence<int, i...>) {
  constexpr int kCount = Lanes<T>::kCount;
  typename Lanes<T>::Vector a, b;
  std::memcpy(&a, from, sizeof a), std::memcpy(&b, from + kCount, sizeof b);
  to.re.v = __builtin_shufflevector(a, b, (2 * i)...);
  to.im.v = __builtin_shufflevector(a, b, (2 * i + 1)...);
}
template <class T, int... i>
void join_pairs(const Complex<Lanes<T>>& from, T* to, std::integer_sequence<int, i...>) {
  constexpr int kCount = Lanes<T>::kCount;
  const auto a = __builtin_shufflevector(from.re.v, from.im.v, (i / 2 + i % 2 * kCount)...);
  const auto b = __builtin_shufflevector(from.re.v, from.im.v, (kCount / 2 + i / 2 + i % 2 * kCount)...);
  std::memcpy(to, &a, sizeof a), std::memcpy(to + kCount, &b, sizeof b);
}

/// Numbers 0 to n − 1 of `rows` rows, a row in each lane; those without a row are 0.
template <class T>
[[gnu::flatten]] TANDEM_CLONES void load_lanes(const RowParts<const T>& from, std::int64_t rows,
                                               std::int64_t n, Complex<Lanes<T>>* to) {
  constexpr int kCount = Lanes<T>::kCount;
  constexpr std::make_integer_sequence<int, kCount> kAll;
  std::int64_t j = 0;
  // Rows in one piece each: half a vector of numbers is transposed at once.
  if (rows == kCount && from.along == 2) {
    for (; j + kCount / 2 <= n; j += kCount / 2)
      transpose_vectors<T>(from.at(0, j), from.across, reinterpret_cast<T*>(to + j), kCount);
  } else if (rows == kCount && from.across == 2) {  // the numbers of all rows side by side
    for (; j < n; ++j) split_pairs(from.at(0, j), to[j], kAll);
  }
  for (; j + kCount / 2 <= n && from.along == 2; j += kCount / 2) {  // the same with lanes that have no row
    T block[kCount][kCount] = {};
    for (std::int64_t i = 0; i < rows; ++i) std::memcpy(block[i], from.at(i, j), sizeof block[i]);
    transpose_vectors<T>(block[0], kCount, reinterpret_cast<T*>(to + j), kCount);
  }
  for (; j < n; ++j) {
    to[j] = {0, 0};
    for (std::int64_t i = 0; i < rows; ++i)
      to[j].re.lane(i) = from.at(i, j)[0], to[j].im.lane(i) = from.at(i, j)[1];
  }
  for (j = 0; from.swapped && j < n; ++j) std::swap(to[j].re, to[j].im);
}

/// The other way; changes `from`.
template <class T>
[[gnu::flatten]] TANDEM_CLONES void store_lanes(Complex<Lanes<T>>* from, std::int64_t rows, std::int64_t n,
                                                const RowParts<T>& to) {
  constexpr int kCount = Lanes<T>::kCount;
  constexpr std::make_integer_sequence<int, kCount> kAll;
  for (std::int64_t k = 0; (to.swapped || to.factor != 1) && k < n; ++k)
    from[k] = Lanes<T>(to.factor) * (to.swapped ? swapped(from[k]) : from[k]);
  std::int64_t k = 0;
  if (rows == kCount && to.along == 2) {
    for (; k + kCount / 2 <= n; k += kCount / 2)
      transpose_vectors<T>(reinterpret_cast<T*>(from + k), kCount, to.at(0, k), to.across);
  } else if (rows == kCount && to.across == 2) {
    for (; k < n; ++k) join_pairs(from[k], to.at(0, k), kAll);
  }
  for (; k + kCount / 2 <= n && to.along == 2; k += kCount / 2) {
    T block[kCount][kCount];
    transpose_vectors<T>(reinterpret_cast<T*>(from + k), kCount, block[0], kCount);
    for (std::int64_t i = 0; i < rows; ++i) std::memcpy(to.at(i, k), block[i], sizeof block[i]);
  }
  for (; k < n; ++k) {
    for (std::int64_t i = 0; i < rows; ++i)
      to.at(i, k)[0] = from[k].re.lane(i), to.at(i, k)[1] = from[k].im.lane(i);
  }
}

}  // namespace tandem
