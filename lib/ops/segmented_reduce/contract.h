#pragma once
// segmented_reduce: out[s] = op over the elements of segment s. The order of applications is an implementation's own.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "lib/ops/reduce/contract.h"

namespace tandem {

struct SegmentedReduce {
  static constexpr const char* name = "segmented_reduce";
  static constexpr const char* meaning =
      "out[s] = op over segment s of an array, or row or column s of a matrix";
  static constexpr std::array<std::string_view, 4> variants = {"equal", "ragged", "skewed", "columns"};
  static constexpr std::array<std::string_view, 2> features = {"length", "segments"};

  enum class Form : std::uint8_t {
    equal,    // of one length
    offsets,  // from offset to offset
    columns,  // of a matrix: of one length, and their elements lie apart
  };

  /// Microseconds of a GPU for `elements`, each `times` times: 250,000 in one, on Hopper.
  static constexpr double us_of_gpu(std::int64_t elements, std::int64_t times = 1) {
    return static_cast<double>(elements) * static_cast<double>(times) / 250e3;
  }
  /// Whether one of some segments or rows is so long that what reads it alone comes last: many times as long as the average, or what
  /// reads `per_us` elements in a microsecond takes longer for it than a GPU for all of them, `times` times, and than a launch.
  static constexpr bool is_skewed(std::int64_t longest, std::int64_t segments, std::int64_t elements,
                                  int per_us, std::int64_t times = 1) {
    constexpr std::int64_t kTimesTheAverage = 64;
    constexpr double kLaunch = 3;  // µs
    return longest / kTimesTheAverage > (elements + segments - 1) / std::max<std::int64_t>(1, segments) ||
           static_cast<double>(longest) / per_us > kLaunch + us_of_gpu(elements, times);
  }

  struct Shape {
    std::int64_t segments;
    std::int64_t elements;     // of all segments together
    std::int64_t longest = 0;  // of a segment; all elements where nobody knows
    Form form = Form::equal;
    bool gaps = false;  // between segments of one length

    std::int64_t scale() const { return elements; }
    std::int64_t average() const { return (elements + segments - 1) / std::max<std::int64_t>(1, segments); }
    std::array<std::int64_t, 3> features() const { return {std::max<std::int64_t>(1, average()), segments}; }
    std::size_t variant() const {
      constexpr int kOfBlock = 8000;  // elements in a microsecond
      if (form == Form::offsets) return is_skewed(longest, segments, elements, kOfBlock) ? 2 : 1;
      return form == Form::equal ? 0 : 3;
    }
  };
  /// For implementations that read the elements of a segment side by side: all that do not say otherwise.
  static std::string refuses(const Shape& s, CaseId) {
    return s.form == Form::columns ? "elements of a segment must lie side by side" : "";
  }
  /// For implementations that read from segment to segment without a gap.
  static std::string refuse_gaps(const Shape& s, CaseId id) {
    return s.gaps ? "segments must lie side by side" : refuses(s, id);
  }
  static std::string takes_all(const Shape&, CaseId) { return ""; }

  /// Where segments lie.
  struct Layout {
    const std::int64_t* offsets;  // count + 1 of them; null where all segments have one length
    std::int64_t count;
    std::int64_t length;  // what follows is for segments of one length
    std::int64_t stride;  // from the first element of a segment to that of the next
    std::int64_t step;    // from an element of a segment to the next: 1 but in columns

    TANDEM_HD std::int64_t begin(std::int64_t s) const { return offsets ? offsets[s] : s * stride; }
    /// Behind the last element, where these lie side by side.
    TANDEM_HD std::int64_t end(std::int64_t s) const {
      return offsets ? offsets[s + 1] : s * stride + length;
    }
    /// Elements of segment s, wherever they lie.
    TANDEM_HD std::int64_t length_of(std::int64_t s) const {
      return offsets ? offsets[s + 1] - offsets[s] : length;
    }
  };

  /// Elements, operands and results are those of reduce.
  template <class Element, class Operator>
  struct Case : Reduce::Case<Element, Operator> {
    using T = Element;
    using Op = Operator;
    using Acc = typename Reduce::Case<T, Op>::Acc;
    struct Args {
      const T* in;
      Layout segments;
      std::int64_t elements;  // of all segments together, or more
      Acc* out;               // one for each segment, where the context computes
    };
  };
  template <class T>
  using Three = CaseList<Case<T, Plus>, Case<T, Minimum>, Case<T, Maximum>>;
  using Cases = Joined<Three<float>, Three<double>, Three<std::int32_t>, Three<std::int64_t>, Three<half>,
                       Three<bfloat16>, Three<std::int8_t>, Three<std::uint8_t>, Three<std::uint32_t>,
                       Three<std::uint64_t>>;
  using Counting = Case<Counted, Plus>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.segments.count == 0;
  }
};

}  // namespace tandem
