#pragma once
// real_fft: X[k] = sum of x[j] e^(−2πi jk/n), k = 0 … n/2, of many rows of real numbers, and back.

#include "lib/ops/fft/contract.h"

namespace tandem {

struct RealFft {
  static constexpr const char* name = "real_fft";
  static constexpr const char* meaning =
      "X[k] = sum of x[j] e^(-2 pi i jk/n) for k to n/2 of real x, or back, of many rows";
  /// Other lengths than powers of two. Results times a factor come apart: libraries multiply in a launch of its own.
  static constexpr std::array<std::string_view, 8> variants = {
      "forward",         "inverse",         "forward, other length",         "inverse, other length",
      "forward, scaled", "inverse, scaled", "forward, other length, scaled", "inverse, other length, scaled"};
  static constexpr std::array<std::string_view, 2> features = {"n", "batch"};

  struct Shape {
    std::int64_t n, batch;  // n: real numbers of a row
    bool inverse = false;
    bool in_place = false;
    std::int64_t in_gap = 0, out_gap = 0;  // elements between a row's end and the next row
    bool scaled = false;                   // by another factor than 1
    std::int64_t scale() const { return n; }
    std::array<std::int64_t, 3> features() const { return {n, batch}; }
    std::size_t variant() const { return 4 * scaled + 2 * !Fft::is_power_of_two(n) + inverse; }
  };

  /// Complex numbers that stand for n real ones; the others are their conjugates.
  TANDEM_HD static constexpr std::int64_t spectrum_size(std::int64_t n) { return n / 2 + 1; }

  /// Numbers that stand for no other one have no imaginary part, whatever lies there or is left of rounding.
  template <class T>
  TANDEM_HD static Complex<T> real_where_alone(const Complex<T>& x, std::int64_t k, std::int64_t n) {
    return k == 0 || 2 * k == n ? Complex<T>{x.re, 0} : x;
  }

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    /// Rows of one side are real, those of the other complex.
    struct Args {
      const T* in;  // real numbers, or the parts of complex ones
      T* out;       // may be `in` where rows begin at the same places
      std::int64_t n, batch;
      std::int64_t in_distance, out_distance;  // from the start of a row to that of the next, in numbers
      bool inverse;
      T factor;  // of every result

      /// One row, number 0 of its own.
      TANDEM_HD Args alone(std::int64_t row) const {
        Args of_row = *this;
        of_row.in += row * in_distance * (inverse ? 2 : 1),
            of_row.out += row * out_distance * (inverse ? 1 : 2);
        of_row.batch = 1, of_row.in_distance = 0, of_row.out_distance = 0;
        return of_row;
      }
      /// Forward: real number j of a row.
      TANDEM_HD T load_real(std::int64_t row, std::int64_t j) const { return in[row * in_distance + j]; }
      /// Forward: whether real numbers of each row are pairs where complex numbers could be; then those of a row.
      bool has_pairs() const {
        return reinterpret_cast<std::uintptr_t>(in) % sizeof(Complex<T>) == 0 && in_distance % 2 == 0;
      }
      TANDEM_HD const Complex<T>* pairs(std::int64_t row) const {
        return reinterpret_cast<const Complex<T>*>(in + row * in_distance);
      }
      /// Inverse: number k of a spectrum.
      TANDEM_HD Complex<T> load_complex(std::int64_t row, std::int64_t k) const {
        return real_where_alone(reinterpret_cast<const Complex<T>*>(in)[row * in_distance + k], k, n);
      }
      TANDEM_HD void store_real(std::int64_t row, std::int64_t j, T x) const {
        out[row * out_distance + j] = factor * x;
      }
      TANDEM_HD void store_complex(std::int64_t row, std::int64_t k, Complex<T> x) const {
        spectrum(row)[k] = factor * real_where_alone(x, k, n);
      }
      /// Forward: where the results of a row lie.
      TANDEM_HD Complex<T>* spectrum(std::int64_t row) const {
        return reinterpret_cast<Complex<T>*>(out) + row * out_distance;
      }
    };
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0 || args.batch == 0;
  }

  /// The depth of a fast transform: the levels of the complex one, and one where pairs are split.
  static double levels_or_convolution(std::int64_t n) { return Fft::levels_or_convolution(n) + 1; }
};

}  // namespace tandem
