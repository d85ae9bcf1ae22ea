#pragma once
// fft_nd: Fourier transforms along all axes of grids of one to three axes, with a stride for each.

#include "lib/ops/fft/contract.h"

namespace tandem {

/// A number for each axis, the outermost first; the extent of an axis that a grid has not is 1.
using OfAxes = std::array<std::int64_t, 3>;

/// Where the numbers of many grids lie: number (x, y, z) of grid b at b · distance + x · strides[0] + y · strides[1] +
/// z · strides[2].
struct GridLayout {
  OfAxes strides;
  std::int64_t distance;
  friend bool operator==(const GridLayout&, const GridLayout&) = default;
};

struct FftNd {
  static constexpr const char* name = "fft_nd";
  static constexpr const char* meaning = "Fourier transforms along all axes of many grids, or back";
  /// Other extents than powers of two. Results times a factor come apart: libraries multiply in a launch of its own.
  static constexpr std::array<std::string_view, 12> variants = {"one axis",
                                                                "two axes",
                                                                "three axes",
                                                                "one axis, other extents",
                                                                "two axes, other extents",
                                                                "three axes, other extents",
                                                                "one axis, scaled",
                                                                "two axes, scaled",
                                                                "three axes, scaled",
                                                                "one axis, other extents, scaled",
                                                                "two axes, other extents, scaled",
                                                                "three axes, other extents, scaled"};
  static constexpr std::array<std::string_view, 2> features = {"n", "batch"};

  struct Shape {
    OfAxes extents;
    std::int64_t batch;
    GridLayout in, out;
    bool inverse = false;
    bool in_place = false;
    bool scaled = false;  // by another factor than 1
    std::int64_t scale() const { return points(extents); }
    std::array<std::int64_t, 3> features() const { return {scale(), batch}; }
    /// Axes of one number are none.
    std::size_t variant() const {
      std::size_t axes = 0;
      bool other = false;
      for (const std::int64_t extent : extents) axes += extent > 1, other |= !Fft::is_power_of_two(extent);
      return std::max<std::size_t>(axes, 1) - 1 + 3 * other + 6 * scaled;
    }
  };

  template <class Element>
  struct Case {
    using T = Element;  // of a number's parts
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      const Complex<T>* in;
      Complex<T>* out;  // may be `in` where the layouts are equal
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
    return points(args.extents) == 0 || args.batch == 0;
  }

  static constexpr std::int64_t points(const OfAxes& extents) { return extents[0] * extents[1] * extents[2]; }
  /// Row-major, one number and one grid behind the other.
  static constexpr GridLayout contiguous(const OfAxes& extents) {
    return {{extents[1] * extents[2], extents[2], 1}, points(extents)};
  }

  /// Elements from the first to the last of grids that are not empty.
  static constexpr std::int64_t storage_size(const GridLayout& l, const OfAxes& extents, std::int64_t batch) {
    std::int64_t size = 1 + (batch - 1) * l.distance;
    for (std::size_t axis = 0; axis < 3; ++axis) size += (extents[axis] - 1) * l.strides[axis];
    return size;
  }

  /// The sum of the axes' depths, of a grid of n numbers: they are smooth where n is. The convolution of an axis of k numbers has
  /// fewer than 4k.
  static double levels_or_convolution(std::int64_t n) {
    return Fft::is_smooth(n) ? Fft::levels(n) : levels_of_convolution(n);
  }
  static double levels_of_convolution(std::int64_t n) { return 3 * (Fft::levels(n) + 9); }
};

}  // namespace tandem
