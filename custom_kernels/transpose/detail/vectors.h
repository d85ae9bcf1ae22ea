#pragma once
// Small matrices transposed in vector registers of the CPU, by perfect shuffles (Stone 1971).

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tandem {

/// A vector with unsigned lanes of the size of an element: two *halves* of 16 bytes, or one where a tile of two would not stay in
/// registers.
template <class T>
struct Vector {
  static constexpr int kHalf = 16 / sizeof(T);  // elements
  static constexpr int kHalves = sizeof(T) < 4 ? 1 : 2, kSize = kHalves * kHalf;
  using Word = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  typedef Word type __attribute__((vector_size(16 * kHalves)));
  typedef Word at_any_element __attribute__((vector_size(16 * kHalves), aligned(sizeof(T)), may_alias));
};

// By reference: a vector of 32 bytes has no register where a function is compiled for any x86-64.

/// Perfect shuffle: interleaves the low (or high) elements of each half of two vectors.
template <class T, bool kHigh, class V, int... i>
void interleave(const V& a, const V& b, V& to, std::integer_sequence<int, i...>) {
  constexpr int kHalf = Vector<T>::kHalf, kFirst = kHigh ? kHalf / 2 : 0;
  to = __builtin_shufflevector(a, b,
                               (i / kHalf * kHalf + kFirst + i % kHalf / 2 + i % 2 * Vector<T>::kSize)...);
}

/// Writes the low (or high) halves of two vectors.
template <class T, bool kHigh, class V, int... i>
void write_halves(const V& a, const V& b, T* to, std::integer_sequence<int, i...>) {
  constexpr int kHalf = Vector<T>::kHalf, kFirst = kHigh ? kHalf : 0;
  *reinterpret_cast<typename Vector<T>::at_any_element*>(to) =
      __builtin_shufflevector(a, b, (kFirst + i % kHalf + i / kHalf * Vector<T>::kSize)...);
}

/// Transposes kSize × kSize elements: each kHalf × kHalf of them by rounds of shuffles, then these as blocks.
template <class T>
void transpose_vectors(const T* in, std::int64_t ld_in, T* out, std::int64_t ld_out) {
  using V = typename Vector<T>::type;
  using Unaligned = typename Vector<T>::at_any_element;
  constexpr int kSize = Vector<T>::kSize, kHalf = Vector<T>::kHalf;
  constexpr std::make_integer_sequence<int, kSize> kAll;
  V rows[kSize];
  for (int i = 0; i < kSize; ++i) rows[i] = *reinterpret_cast<const Unaligned*>(in + i * ld_in);
  for (int first = 0; first < kSize; first += kHalf) {
    for (int round = 1; round < kHalf; round *= 2) {
      V next[kHalf];
      for (int i = 0; i < kHalf / 2; ++i) {
        const V &upper = rows[first + i], &lower = rows[first + i + kHalf / 2];
        interleave<T, false>(upper, lower, next[2 * i], kAll);
        interleave<T, true>(upper, lower, next[2 * i + 1], kAll);
      }
      std::copy_n(next, kHalf, rows + first);
    }
  }
  for (int i = 0; i < kHalf; ++i) {
    if constexpr (kSize == kHalf) {
      *reinterpret_cast<Unaligned*>(out + i * ld_out) = rows[i];
    } else {
      write_halves<T, false>(rows[i], rows[i + kHalf], out + i * ld_out, kAll);
      write_halves<T, true>(rows[i], rows[i + kHalf], out + (i + kHalf) * ld_out, kAll);
    }
  }
}

}  // namespace tandem
