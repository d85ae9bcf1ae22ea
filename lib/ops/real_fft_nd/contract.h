#pragma once
// real_fft_nd: Fourier transforms along all axes of real grids of one to three axes, and back, with a stride for each.

#include "lib/ops/fft_nd/contract.h"
#include "lib/ops/real_fft/contract.h"

namespace tandem {

struct RealFftNd {
  static constexpr const char* name = "real_fft_nd";
  static constexpr const char* meaning = "Fourier transforms along all axes of many real grids, or back";
  /// Other extents than powers of two. Results times a factor come apart: libraries multiply in a launch of its own.
  static constexpr std::array<std::string_view, 24> variants = {"one axis, forward",
                                                                "two axes, forward",
                                                                "three axes, forward",
                                                                "one axis, inverse",
                                                                "two axes, inverse",
                                                                "three axes, inverse",
                                                                "one axis, forward, other extents",
                                                                "two axes, forward, other extents",
                                                                "three axes, forward, other extents",
                                                                "one axis, inverse, other extents",
                                                                "two axes, inverse, other extents",
                                                                "three axes, inverse, other extents",
                                                                "one axis, forward, scaled",
                                                                "two axes, forward, scaled",
                                                                "three axes, forward, scaled",
                                                                "one axis, inverse, scaled",
                                                                "two axes, inverse, scaled",
                                                                "three axes, inverse, scaled",
                                                                "one axis, forward, other extents, scaled",
                                                                "two axes, forward, other extents, scaled",
                                                                "three axes, forward, other extents, scaled",
                                                                "one axis, inverse, other extents, scaled",
                                                                "two axes, inverse, other extents, scaled",
                                                                "three axes, inverse, other extents, scaled"};
  static constexpr std::array<std::string_view, 2> features = {"n", "batch"};

  struct Shape {
    OfAxes extents;  // of the real grid
    std::int64_t batch;
    GridLayout in, out;  // one counts real numbers, the other one complex ones
    bool inverse = false;
    bool in_place = false;
    bool scaled = false;  // by another factor than 1
    std::int64_t scale() const { return FftNd::points(extents); }
    std::array<std::int64_t, 3> features() const { return {scale(), batch}; }
    /// Axes of one number are none.
    std::size_t variant() const {
      std::size_t axes = 0;
      bool other = false;
      for (const std::int64_t extent : extents) axes += extent > 1, other |= !Fft::is_power_of_two(extent);
      return std::max<std::size_t>(axes, 1) - 1 + 3 * inverse + 6 * other + 12 * scaled;
    }
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    /// Grids of one side are real, those of the other complex.
    struct Args {
      const T* in;  // real numbers, or the parts of complex ones
      T* out;       // may be `in` where rows along the last axis begin at the same places
      OfAxes extents;
      std::int64_t batch;
      GridLayout from, to;
      bool inverse;
      T factor;  // of every result
    };
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return FftNd::points(args.extents) == 0 || args.batch == 0;
  }

  /// Extents of the complex grid that stands for a real one.
  static constexpr OfAxes spectrum(const OfAxes& extents) {
    return {extents[0], extents[1], FftNd::points(extents) == 0 ? 0 : RealFft::spectrum_size(extents[2])};
  }
  /// Whether rows of real numbers begin where those of complex ones do, and may be in their memory.
  static constexpr bool rows_meet(const GridLayout& real, const GridLayout& complex, const OfAxes& extents,
                                  std::int64_t batch) {
    const auto meet = [](std::int64_t count, std::int64_t reals, std::int64_t numbers) {
      return count <= 1 || (reals % 2 == 0 && reals / 2 == numbers);
    };
    return meet(extents[0], real.strides[0], complex.strides[0]) &&
           meet(extents[1], real.strides[1], complex.strides[1]) &&
           meet(batch, real.distance, complex.distance) &&
           (extents[2] <= 1 || (real.strides[2] == 1 && complex.strides[2] == 1));
  }

  /// The depth of fast transforms: the levels of the complex one, and one where pairs are split.
  static double levels_or_convolution(std::int64_t n) { return FftNd::levels_or_convolution(n) + 1; }
};

}  // namespace tandem
