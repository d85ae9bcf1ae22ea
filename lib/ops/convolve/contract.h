#pragma once
// convolve: y = s · inverse(F(x) ∘ h) of many rows, F the Fourier transform of n numbers, h the spectrum of one filter for all.

#include "lib/ops/fft/contract.h"

namespace tandem {

struct Convolve {
  static constexpr const char* name = "convolve";
  static constexpr const char* meaning =
      "rows convolved circularly with one filter, whose spectrum is given: y = ifft(fft(x) h)";
  static constexpr auto variants = Fft::kinds;
  static constexpr auto features = Fft::features;

  struct Shape {
    std::int64_t n, batch;
    bool in_place = false;
    std::int64_t in_gap = 0, out_gap = 0;  // elements between a row's end and the next row
    std::int64_t scale() const { return n; }
    std::array<std::int64_t, 3> features() const { return {n, batch}; }
    std::size_t variant() const { return Fft::kind_of(n); }
  };

  template <class Element>
  struct Case {
    using T = Element;  // of a number's parts
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    /// Both transforms are forward ones: product() makes of the second an inverse one, whose results store() takes.
    struct Args {
      const Complex<T>* in;
      const Complex<T>* filter;  // its spectrum, n numbers
      Complex<T>* out;           // may be `in` where the distances are equal
      std::int64_t n, batch;
      std::int64_t in_distance, out_distance;  // from the start of a row to that of the next
      T factor;                                // of every result

      TANDEM_HD Complex<T> load(std::int64_t row, std::int64_t j) const { return in[row * in_distance + j]; }
      /// Of number k of a row's spectrum.
      TANDEM_HD Complex<T> product(std::int64_t k, const Complex<T>& x) const {
        return swapped(x * filter[k]);
      }
      TANDEM_HD void store(std::int64_t row, std::int64_t j, const Complex<T>& y) const {
        out[row * out_distance + j] = factor * swapped(y);
      }
    };
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0 || args.batch == 0;
  }

  /// The depth of two transforms, each of as many levels, and of the product between them.
  static double both_ways(double levels) { return 2 * levels + 1; }
  static double levels(std::int64_t n) { return both_ways(Fft::levels(n)); }
  static double levels_of_convolution(std::int64_t n) { return both_ways(Fft::levels_of_convolution(n)); }
  static double levels_or_convolution(std::int64_t n) { return both_ways(Fft::levels_or_convolution(n)); }
};

}  // namespace tandem
