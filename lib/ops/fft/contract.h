#pragma once
// fft: X[k] = sum of x[j] e^(−2πi jk/n), j = 0 … n−1, of many rows.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "lib/core/registry.h"
#include "lib/ops/fft/complex.h"

namespace tandem {

struct Fft {
  static constexpr const char* name = "fft";
  static constexpr const char* meaning = "X[k] = sum of x[j] e^(-2 pi i jk/n), or back, of many rows";
  static constexpr std::array<std::string_view, 3> kinds = {"power of two", "factors to 7", "other length"};
  /// Results times a factor come apart: libraries multiply in a launch of its own.
  static constexpr std::array<std::string_view, 6> variants = {
      "power of two",         "factors to 7",         "other length",
      "power of two, scaled", "factors to 7, scaled", "other length, scaled"};
  static constexpr std::array<std::string_view, 2> features = {"n", "batch"};

  struct Shape {
    std::int64_t n, batch;
    bool in_place = false;
    bool inverse = false;
    std::int64_t in_gap = 0, out_gap = 0;  // elements between a row's end and the next row
    bool scaled = false;                   // by another factor than 1
    std::int64_t scale() const { return n; }
    std::array<std::int64_t, 3> features() const { return {n, batch}; }
    std::size_t variant() const { return kind_of(n) + kinds.size() * scaled; }
  };

  template <class Element>
  struct Case {
    using T = Element;  // of a number's parts
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    /// Steps compute forward transforms alone: an inverse one is a forward one between load() and store().
    struct Args {
      const Complex<T>* in;
      Complex<T>* out;  // may be `in` where the distances are equal
      std::int64_t n, batch;
      std::int64_t in_distance, out_distance;  // from the start of a row to that of the next
      bool inverse;
      T factor;  // of every result

      TANDEM_HD Complex<T> load(std::int64_t row, std::int64_t j) const { return loaded(*at(row, j)); }
      /// The same in two steps, for numbers that are copied elsewhere first.
      TANDEM_HD const Complex<T>* at(std::int64_t row, std::int64_t j) const {
        return in + row * in_distance + j;
      }
      TANDEM_HD Complex<T> loaded(const Complex<T>& x) const { return inverse ? swapped(x) : x; }
      TANDEM_HD void store(std::int64_t row, std::int64_t k, Complex<T> x) const {
        out[row * out_distance + k] = factor * (inverse ? swapped(x) : x);
      }
    };
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0 || args.batch == 0;
  }

  static constexpr bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }
  /// No prime factor above 7.
  static constexpr bool is_smooth(std::int64_t n) {
    for (const std::int64_t p : {2, 3, 5, 7}) {
      while (n > 0 && n % p == 0) n /= p;
    }
    return n == 1;
  }
  /// Of `kinds`.
  static constexpr std::size_t kind_of(std::int64_t n) {
    return is_power_of_two(n) ? 0 : is_smooth(n) ? 1 : 2;
  }
  /// The least power of two that holds the cyclic convolution of Bluestein's algorithm.
  static constexpr std::int64_t convolution_size(std::int64_t n) {
    std::int64_t m = 8;
    while (m < 2 * n - 1) m *= 2;
    return m;
  }

  /// For steps of radix 2.
  static std::string refuse_other_than_powers(const Shape& shape, CaseId) {
    return is_power_of_two(shape.n) || shape.n == 0 ? "" : "takes powers of two only";
  }

  /// The depth of a fast transform: its levels.
  static double levels(std::int64_t n) { return std::max(1.0, std::log2(static_cast<double>(n))); }
  /// The same of a convolution: three transforms and three products.
  static double levels_of_convolution(std::int64_t n) { return 3 * levels(convolution_size(n)) + 3; }
  /// The same where lengths are convolutions that are not smooth.
  static double levels_or_convolution(std::int64_t n) {
    return is_smooth(n) ? levels(n) : levels_of_convolution(n);
  }
};

}  // namespace tandem
