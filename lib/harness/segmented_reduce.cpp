// segmented_reduce: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "lib/harness/operation.h"
#include "lib/harness/segments.h"
#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

/// How long segments are, and how they are given.
enum class Pattern : int {
  equal,
  equal_gaps,  // with a gap behind each
  columns,
  columns_gaps,  // of a matrix with a gap behind each row
  // By offsets, as in Lengths.
  alike,
  uniform,
  ragged,
  power_law,
  mostly_empty,
  empty_ends,
  skewed,
  empty
};
constexpr const char* kPatterns[] = {"equal",        "equal gaps", "columns", "columns gaps",
                                     "alike",        "uniform",    "ragged",  "power law",
                                     "mostly empty", "empty ends", "skewed",  "empty"};
using Form = SegmentedReduce::Form;

Form form_of(Pattern pattern) {
  if (pattern >= Pattern::alike) return Form::offsets;
  return pattern >= Pattern::columns ? Form::columns : Form::equal;
}

struct SegmentedReduceHarness {
  using Contract = SegmentedReduce;
  struct TestShape : SegmentedReduce::Shape {
    Pattern pattern = Pattern::equal;
    std::int64_t length = 0;  // about the average
    bool inside = false;      // there are elements before the first and behind the last segment
  };
  static constexpr Bound bound = Bound::read;
  static constexpr bool has_large(CaseId id) { return sums_whole_numbers(id); }
  static constexpr Extent kExtents[] = {{"segments"}, {"length"}};
  static constexpr std::int64_t executor_size = 1 << 14;
  static constexpr std::int64_t kMargin = 5, kGap = 3;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 22, 1 << 26}; }
  /// n elements in segments of 32.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    const std::int64_t length = std::min<std::int64_t>(n, 32);
    return {n / length, length};
  }

  /// Where a pattern is not one of equal segments.
  static Lengths lengths_of(Pattern pattern) {
    return static_cast<Lengths>(static_cast<int>(pattern) - static_cast<int>(Pattern::alike));
  }

  static TestShape shape_of(Pattern pattern, std::int64_t segments, std::int64_t length,
                            bool inside = false) {
    TestShape shape{{segments, segments * length, length, form_of(pattern)}, pattern, length, inside};
    shape.gaps = pattern == Pattern::equal_gaps;
    if (pattern == Pattern::skewed)
      shape.longest = shape.elements - (segments - 1) * ((length + 1) / 2);
    else if (shape.form == Form::offsets) {
      const SegmentSizes sizes = sizes_of(lengths_of(pattern), segments, length);
      shape.elements = sizes.elements;
      shape.longest = std::max(shape.longest, sizes.longest);
    }
    return shape;
  }

  /// Elements outside all segments are NaN, or the largest number.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Acc = typename C::Acc;
    using Op = typename C::Op;
    TestShape shape;
    SegmentedReduce::Layout layout;  // in host memory
    bool exact;
    Input<std::int64_t> offsets;
    Input<T> in;
    Output<Acc> out;
    std::vector<double> magnitude, roundings;  // of each segment: Σ|x|, elements

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          layout{nullptr, s.segments, s.length, s.length, 1},
          exact(is_exact(inputs.values, C::id)),
          offsets(*this, s.form == Form::offsets ? made_offsets(s) : std::vector<std::int64_t>{},
                  inputs.offset % 8, "offsets"),
          in(*this, size(), inputs.offset),
          out(*this, s.segments, inputs.offset) {
      if (s.pattern == Pattern::equal_gaps) layout.stride += kGap;
      if (s.form == Form::columns)
        layout.stride = 1, layout.step = s.segments + (s.pattern == Pattern::columns_gaps) * kGap;
      if (s.form == Form::offsets) layout = {offsets.values.data(), s.segments, 0, 0, 1};
      fill_segments(inputs);
      for (std::int64_t segment = 0; segment < s.segments; ++segment) reference(segment);
    }
    typename C::Args args() {
      SegmentedReduce::Layout placed = layout;
      if (placed.offsets) placed.offsets = offsets.data();
      return {in.data(), placed, shape.form == Form::offsets ? in.size() : shape.elements, out.data()};
    }
    Verdict check(double depth) {
      out.bounds.resize(magnitude.size());
      for (std::size_t s = 0; s < magnitude.size(); ++s)
        out.bounds[s] = gamma<Acc>(std::min(depth, roundings[s]) + 1) * magnitude[s];
      return {};
    }

   private:
    static std::vector<std::int64_t> made_offsets(const TestShape& s) {
      std::vector<std::int64_t> all = offsets_of(lengths_of(s.pattern), s.segments, s.length);
      if (s.inside) {
        for (std::int64_t& offset : all) offset += kMargin;
      }
      return all;
    }
    std::int64_t size() const {
      if (shape.form == Form::offsets) return offsets.values.back() + (shape.inside ? kMargin : 0);
      if (shape.elements == 0) return 0;
      if (shape.form == Form::columns) return (shape.length - 1) * columns_step() + shape.segments;
      return shape.elements + (shape.segments - 1) * (shape.gaps ? kGap : 0);
    }
    std::int64_t columns_step() const {
      return shape.segments + (shape.pattern == Pattern::columns_gaps ? kGap : 0);
    }
    template <class F>
    void for_elements(std::int64_t s, F f) {
      std::int64_t at = layout.begin(s);
      for (std::int64_t i = 0; i < layout.length_of(s); ++i, at += layout.step)
        f(in.values[static_cast<std::size_t>(at)]);
    }
    void fill_segments(const Inputs& inputs) {
      fill(std::span<T>(in.values), Op::id, inputs);
      if (!inputs.data.empty() || in.size() == shape.elements) return;
      std::vector<T> values(in.values.size(), std::numeric_limits<T>::has_quiet_NaN
                                                  ? std::numeric_limits<T>::quiet_NaN()
                                                  : std::numeric_limits<T>::max());
      values.swap(in.values);
      auto next = values.begin();
      for (std::int64_t s = 0; s < shape.segments; ++s) for_elements(s, [&](T& x) { x = *next++; });
    }
    void reference(std::int64_t s) {
      Wider<Acc> value = Op::template identity<Wider<Acc>>();
      double sum = 0;
      for_elements(s, [&](const T& x) {
        const auto operand = static_cast<Wider<Acc>>(C::load(x));
        value = Op{}(value, operand);
        sum += std::fabs(static_cast<double>(operand));
      });
      out.want.push_back(static_cast<Acc>(value));
      if (exact) return;
      magnitude.push_back(sum);
      roundings.push_back(static_cast<double>(layout.length_of(s)));
    }
  };

  /// Periods of small numbers: a segment begins where any element of a period stands.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    using Acc = typename C::Acc;
    static constexpr std::int64_t kPeriod = 127;
    TestShape shape;
    std::optional<LargeOperand<std::int64_t>> offsets;
    LargeOperand<T> in;
    LargeOperand<Acc> out;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          in(*this, s.elements, {small_numbers<T>(kPeriod)}),
          out(*this, s.segments, LargeOperand<Acc>::kNothing, results()) {
      if (s.form != Form::offsets) return;
      ClosedForm<std::int64_t> multiples{{0}};
      multiples.rise = s.length;
      offsets.emplace(*this, s.segments + 1, multiples);
    }
    typename C::Args args() {
      const bool columns = shape.form == Form::columns;
      return {in.data(),
              {offsets ? offsets->data() : nullptr, shape.segments, shape.length, columns ? 1 : shape.length,
               columns ? shape.segments : 1},
              shape.elements,
              out.data()};
    }
    Verdict check(double) { return {}; }

   private:
    ClosedForm<Acc> results() const {
      const std::vector<T> numbers = small_numbers<T>(kPeriod);
      const bool columns = shape.form == Form::columns;
      const std::int64_t stride = columns ? 1 : shape.length, step = columns ? shape.segments : 1;
      ClosedForm<Acc> form;
      for (std::int64_t q = 0; q < kPeriod; ++q) {
        // A period of steps meets every element, unless the step is one of periods.
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < kPeriod; ++i) {
          const std::int64_t times = shape.length / kPeriod + (i < shape.length % kPeriod);
          sum += times * static_cast<std::int64_t>(numbers[static_cast<std::size_t>(
                             (q * (stride % kPeriod) + i * (step % kPeriod)) % kPeriod)]);
        }
        form.first.push_back(static_cast<Acc>(sum));
      }
      return form;
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    return {shape, inputs, shape.scale(),
            std::string(kPatterns[static_cast<int>(shape.pattern)]) + (shape.inside ? " inside" : ""),
            fmt::format("{}x{}", shape.segments, shape.length)};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    enum { kCase, kSegments, kLength, kPattern, kInside, kValues, kOffset, kAxes };
    constexpr int kPatternCount = static_cast<int>(std::size(kPatterns));
    constexpr std::int64_t kMost = 20'000;  // elements
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      // Past 2^32 elements, or bytes: short segments and a long one, by their length and by offsets; columns.
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (!has_large(ids[c])) continue;
        const std::int64_t n =
            size_of(ids[c].type) == 8 ? (std::int64_t{1} << 29) + 5 : (std::int64_t{1} << 32) + 5;
        for (const auto& [pattern, segments, length] : {std::tuple{Pattern::equal, n / 4, std::int64_t{4}},
                                                        {Pattern::equal, std::int64_t{1}, n},
                                                        {Pattern::alike, n / 100, std::int64_t{100}},
                                                        {Pattern::columns, std::int64_t{1000}, n / 1000}}) {
          TestShape shape{{segments, segments * length, length, form_of(pattern)}, pattern, length};
          plan.trials[c].push_back(trial(shape, {Values::exact, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        }
      }
      return plan;
    }
    std::vector<std::int64_t> segments{0,  1,   2,   3,   7,   8,   9,   31,   32,  33,
                                       64, 127, 128, 129, 255, 256, 257, 1000, 4099};
    std::vector<std::int64_t> lengths{0,   1,    2,    3,    4,    5,    6,    7,    8,     9,   12,
                                      15,  16,   17,   20,   24,   31,   32,   33,   48,    63,  64,
                                      65,  96,   100,  127,  128,  129,  255,  256,  257,   511, 512,
                                      513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 10'007};
    if (coverage == Coverage::brief) segments = {1, 9, 257}, lengths = {3, 32, 65, 1000};
    const auto texts = [](const std::vector<std::int64_t>& values) {
      std::vector<std::string> all;
      for (const std::int64_t v : values) all.push_back(std::to_string(v));
      return all;
    };
    const auto of = [](const std::vector<std::int64_t>& values, int i) {
      return values[static_cast<std::size_t>(i)];
    };
    plan.axes.add("case", names(ids));
    plan.axes.add("segments", texts(segments));
    plan.axes.add("length", texts(lengths));
    plan.axes.add("pattern", {kPatterns, kPatterns + kPatternCount});
    plan.axes.add("inside", {"no", "yes"});
    plan.axes.add("values", value_names());
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kSegments, kLength,
                      [&](int s, int l) { return of(segments, s) * of(lengths, l) > kMost; });
    plan.axes.exclude(kPattern, kInside, [&](int p, int inside) {
      return inside && form_of(static_cast<Pattern>(p)) != Form::offsets;
    });
    plan.axes.exclude(kCase, kOffset,
                      [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      trials.push_back(
          trial(shape_of(static_cast<Pattern>(point[kPattern]), of(segments, point[kSegments]),
                         of(lengths, point[kLength]), point[kInside] == 1),
                {static_cast<Values>(point[kValues]), seed + trials.size(),
                 offset_in_elements(ids[static_cast<std::size_t>(point[kCase])], point[kOffset])}));
      trials.back().point = point;
    };
    const int turns = coverage == Coverage::full ? 4 : 1;
    for (int turn = 0; turn < turns; ++turn) {
      for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
        for (int p = 0; p < kPatternCount; ++p) add({c, -1, -1, p, -1, -1, -1});
      }
      for (int l = 0; l < static_cast<int>(lengths.size()); ++l) {
        for (int p = 0; p < kPatternCount; ++p) add({-1, -1, l, p, -1, -1, -1});
      }
    }
    if (coverage == Coverage::brief) return plan;
    while (const auto open = covering.open()) add(*open);
    // More elements than a block and a wave of blocks take, and than threads of the CPU share; one type will do.
    const auto more = [&](Pattern pattern, std::int64_t count, std::int64_t length) {
      const Values values = plan.trials[0].size() % 2 ? Values::exact : Values::real;
      plan.trials[0].push_back(trial(shape_of(pattern, count, length), {values, seed, 1}));
    };
    for (const Pattern pattern : {Pattern::equal, Pattern::ragged, Pattern::skewed, Pattern::mostly_empty,
                                  Pattern::power_law, Pattern::columns, Pattern::equal_gaps}) {
      more(pattern, 4099, 3), more(pattern, 1009, 67), more(pattern, 40, 30'011);
      if (coverage == Coverage::full)
        more(pattern, 70'001, 2), more(pattern, 20'011, 40), more(pattern, 7, 400'009);
    }
    more(Pattern::equal, 9001, 15), more(Pattern::equal_gaps, 9001, 15);
    more(Pattern::mostly_empty, 100'003, 2);
    for (const Pattern pattern : {Pattern::equal, Pattern::alike, Pattern::columns})
      more(pattern, 1, 200'003);
    more(Pattern::empty, 200'003, 1), more(Pattern::columns, 200'003, 1);
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (const Pattern pattern : {Pattern::equal, Pattern::ragged, Pattern::skewed, Pattern::columns})
      trials.push_back(trial(shape_of(pattern, extents[0], extents[1]), {Values::exact, seed, 0}));
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    constexpr Pattern kDrawn[] = {Pattern::equal, Pattern::ragged, Pattern::skewed, Pattern::columns};
    const std::int64_t length = draws.size(1, elements), segments = draws.size(1, elements / length);
    const Pattern pattern = kDrawn[draws.below(std::size(kDrawn))];
    return trial(shape_of(pattern, segments, length), {Values::exact, draws.bits(), draw_offset(id, draws)});
  }

  /// Up to 1 GiB with offsets: to know the longest of more segments takes seconds.
  static std::vector<std::int64_t> extents_with(const Features& f) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
    const std::int64_t length = f[0], segments = f[1];
    if (length > kMostBytes / segments || (length + 8) * segments > kMostBytes) return {};
    return {segments, length};
  }

  /// Bytes of all elements and results: what narrow elements are accumulated in has 4.
  static double bytes(CaseId id, const TestShape& shape) {
    const std::size_t element = size_of(id.type), result = std::max<std::size_t>(4, element);
    return static_cast<double>(shape.elements) * static_cast<double>(element) +
           static_cast<double>(shape.segments) * static_cast<double>(result);
  }

  static double memory(CaseId id, const TestShape& shape) {
    return 3 * bytes(id, shape) + 32 * static_cast<double>(shape.segments);
  }

  /// Every element and offset is read, every result written.
  static Work work(CaseId id, const TestShape& shape) {
    const double offsets = shape.form == Form::offsets ? 8 * (static_cast<double>(shape.segments) + 1) : 0;
    return {bytes(id, shape) + offsets, static_cast<double>(shape.elements)};
  }

  static Complexity count(const Implementation& implementation, Context& ctx, const TestShape& shape) {
    using Counting = SegmentedReduce::Counting;
    const bool by_offsets = shape.form == Form::offsets, columns = shape.form == Form::columns;
    const Array<std::int64_t> offsets(
        ctx, by_offsets ? offsets_of(lengths_of(shape.pattern), shape.segments, shape.length)
                        : std::vector<std::int64_t>{});
    return count_over_arrays<Counting>(
        implementation, ctx, shape.elements, shape.segments, [&](auto* in, auto* out) {
          return Counting::Args{in,
                                {by_offsets ? offsets.data() : nullptr, shape.segments, shape.length,
                                 columns ? 1 : shape.length, columns ? shape.segments : 1},
                                shape.elements,
                                out};
        });
  }
};

REGISTER_OPERATION(SegmentedReduceHarness)

}  // namespace
}  // namespace tandem
