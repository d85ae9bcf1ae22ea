#pragma once
// Sobol's quasi-random points: they fill a cube more evenly than random ones do.

#include <cstdint>

#include "tandem/philox.h"

namespace tandem {

/// How Sobol's points are made random, so that averages over seeds tell an error: not at all; each coordinate by the
/// exclusive or with a word of its own; or so that every digit is swapped or not as the seed and the digits before it say,
/// which also makes the error of smooth integrands smaller.
enum class Scrambling : std::uint8_t { none, shift, owen };

namespace detail {
inline constexpr int kSobolDimensions = 32;

/// Direction numbers, as fractions with all bits of Word. Those of 32 bits are the upper halves of those of 64.
/// Source:  Joe, Kuo 2008, "Constructing Sobol sequences with better two-dimensional projections": primitive polynomials
///          and first numbers of new-joe-kuo-6.21201; the recurrence is that of Bratley, Fox 1988.
template <class Word>
struct SobolDirections {
  static constexpr int kBits = 64;
  Word of[kSobolDimensions][kBits];

  // No constructor: a kernel would see zeros in the table of one that nvcc runs for the host.
  TANDEM_HD static constexpr SobolDirections all() {
    constexpr struct {
      int degree, polynomial;  // its coefficients but the first and the last
      int first[7];
    } rows[kSobolDimensions - 1] = {
        {1, 0, {1}},
        {2, 1, {1, 3}},
        {3, 1, {1, 3, 1}},
        {3, 2, {1, 1, 1}},
        {4, 1, {1, 1, 3, 3}},
        {4, 4, {1, 3, 5, 13}},
        {5, 2, {1, 1, 5, 5, 17}},
        {5, 4, {1, 1, 5, 5, 5}},
        {5, 7, {1, 1, 7, 11, 19}},
        {5, 11, {1, 1, 5, 1, 1}},
        {5, 13, {1, 1, 1, 3, 11}},
        {5, 14, {1, 3, 5, 5, 31}},
        {6, 1, {1, 3, 3, 9, 7, 49}},
        {6, 13, {1, 1, 1, 15, 21, 21}},
        {6, 16, {1, 3, 1, 13, 27, 49}},
        {6, 19, {1, 1, 1, 15, 7, 5}},
        {6, 22, {1, 3, 1, 15, 13, 25}},
        {6, 25, {1, 1, 5, 5, 19, 61}},
        {7, 1, {1, 3, 7, 11, 23, 15, 103}},
        {7, 4, {1, 3, 7, 13, 13, 15, 69}},
        {7, 7, {1, 1, 3, 13, 7, 35, 63}},
        {7, 8, {1, 3, 5, 9, 1, 25, 53}},
        {7, 14, {1, 3, 1, 13, 9, 35, 107}},
        {7, 19, {1, 3, 1, 5, 27, 61, 31}},
        {7, 21, {1, 1, 5, 11, 19, 41, 61}},
        {7, 28, {1, 3, 5, 3, 3, 13, 69}},
        {7, 31, {1, 1, 7, 13, 1, 19, 1}},
        {7, 32, {1, 3, 7, 5, 13, 19, 59}},
        {7, 37, {1, 1, 3, 9, 25, 29, 41}},
        {7, 41, {1, 3, 5, 13, 23, 1, 55}},
        {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    };
    SobolDirections directions{};
    for (int d = 0; d < kSobolDimensions; ++d) {
      std::uint64_t v[kBits] = {};
      for (int k = 0; k < kBits; ++k) {
        if (d == 0) {
          v[k] = std::uint64_t{1} << (63 - k);
          continue;
        }
        const auto& row = rows[d - 1];
        if (k < row.degree) {
          v[k] = static_cast<std::uint64_t>(row.first[k]) << (63 - k);
          continue;
        }
        v[k] = v[k - row.degree] ^ v[k - row.degree] >> row.degree;
        for (int i = 1; i < row.degree; ++i) {
          if (row.polynomial >> (row.degree - 1 - i) & 1) v[k] ^= v[k - i];
        }
      }
      for (int k = 0; k < kBits; ++k)
        directions.of[d][k] = static_cast<Word>(v[k] >> (64 - 8 * sizeof(Word)));
    }
    return directions;
  }
};

template <class Word>
TANDEM_HD inline const SobolDirections<Word>& sobol_directions() {
  static constexpr SobolDirections<Word> directions = SobolDirections<Word>::all();
  return directions;
}

/// By which of its directions each coordinate changes from the point before this one to it; of point 0, which follows the last, the last.
TANDEM_HD inline int direction_to(std::uint64_t point) {
  const std::uint64_t x = point | std::uint64_t{1} << 63;
#ifdef __CUDA_ARCH__
  return __ffsll(static_cast<long long>(x)) - 1;
#else
  return __builtin_ctzll(x);
#endif
}

TANDEM_HD constexpr std::uint64_t reversed(std::uint64_t x) {
  const auto swap = [&](int by, std::uint64_t mask) { x = (x >> by & mask) | (x & mask) << by; };
  swap(1, 0x5555555555555555);
  swap(2, 0x3333333333333333);
  swap(4, 0x0F0F0F0F0F0F0F0F);
  swap(8, 0x00FF00FF00FF00FF);
  swap(16, 0x0000FFFF0000FFFF);
  return x >> 32 | x << 32;
}
TANDEM_HD constexpr std::uint32_t reversed(std::uint32_t x) {
  return static_cast<std::uint32_t>(reversed(std::uint64_t{x}) >> 32);
}
}  // namespace detail

/// The coordinates of Sobol's points, one after the other: number i is coordinate i mod `dimensions` of point
/// ⌊i / dimensions⌋, in the order of Gray's code, so that each point differs from the one before by one direction. Any of
/// them is made by itself, on the CPU or in a kernel.
/// Source:  Sobol' 1967; Antonov, Saleev 1979, "An economic method of computing LPτ-sequences"; Owen 1995, "Randomly
///          permuted (t,m,s)-nets"; by a hash: Laine, Karras 2011, "Stratified sampling for stochastic transparency";
///          Burley 2020, "Practical hash-based Owen scrambling", whose constants these are.
class Sobol {
 public:
  static constexpr int kDimensions = detail::kSobolDimensions;

  /// dimensions: 1 to 32. Without scrambling the seed does not matter.
  TANDEM_HD constexpr explicit Sobol(int dimensions = 1, Scrambling scrambling = Scrambling::none,
                                     std::uint64_t seed = 0)
      : key_(), dimensions_(static_cast<std::uint32_t>(dimensions)), scrambling_(scrambling) {
    for (int d = 0; d < dimensions; ++d) {
      const Philox::Words words = Philox(seed)(static_cast<std::uint64_t>(d), ~std::uint64_t{0});
      key_[d] = Philox::pair(words.w[0], words.w[1]);
    }
  }

  /// Number i as a fraction: all bits of Word, 32 or 64, behind the point. 32 bits are the upper half of 64.
  template <class Word>
  TANDEM_HD Word word(std::uint64_t i) const {
    const auto dimension = static_cast<int>(i % dimensions_);
    return scrambled(coordinate<Word>(i / dimensions_, dimension), dimension);
  }

  // Its parts, for loops over points.

  TANDEM_HD constexpr int dimensions() const { return static_cast<int>(dimensions_); }
  /// Before scrambling.
  template <class Word>
  TANDEM_HD static Word coordinate(std::uint64_t point, int dimension) {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);
    const Word* direction = detail::sobol_directions<Word>().of[dimension];
    Word x = 0;
    for (std::uint64_t gray = point ^ point >> 1; gray != 0; gray >>= 1, ++direction)
      x ^= gray & 1 ? *direction : 0;
    return x;
  }
  template <class Word>
  TANDEM_HD constexpr Word scrambled(Word x, int dimension) const {
    constexpr int kUpper = 64 - 8 * sizeof(Word);
    const std::uint64_t key = key_[dimension];
    if (scrambling_ == Scrambling::none) return x;
    if (scrambling_ == Scrambling::shift) return x ^ static_cast<Word>(key >> kUpper);
    // From the lowest bit on, what becomes of a bit depends on those below it alone: of the digits, on those before.
    x = detail::reversed(x);
    x ^= x * Word{0x3d20adea};
    x += static_cast<Word>(key);
    x *= static_cast<Word>(key >> 16) | 1;
    x ^= x * Word{0x05526c56};
    x ^= x * Word{0x53a22864};
    return detail::reversed(x);
  }

 private:
  std::uint64_t key_[kDimensions];
  std::uint32_t dimensions_;
  Scrambling scrambling_;
};

}  // namespace tandem
