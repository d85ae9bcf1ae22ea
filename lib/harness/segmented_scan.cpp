// segmented_scan: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>

#include "lib/harness/initial_value.h"
#include "lib/harness/operation.h"
#include "lib/harness/run_keys.h"
#include "lib/harness/segments.h"
#include "lib/ops/segmented_scan/contract.h"

namespace tandem {
namespace {

using Form = SegmentedScan::Form;

struct SegmentedScanHarness {
  using Contract = SegmentedScan;
  struct TestShape : SegmentedScan::Shape {
    std::int64_t count = 0;   // segments, or runs of keys
    std::int64_t length = 0;  // about the average
    Lengths lengths = Lengths::alike;
    Type key = Type::u32;
    KeyPattern key_pattern = KeyPattern::rising;
    bool with_init = false;
    bool inside = false;  // there are elements before the first and behind the last segment
    bool skewed = false;  // input, keys and output start at different alignments
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr bool has_large(CaseId id) { return sums_whole_numbers(id); }
  static constexpr Extent kExtents[] = {{"segments"}, {"length"}};
  static constexpr std::int64_t executor_size = 1 << 14;
  static constexpr std::int64_t kMargin = 5;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 22, 1 << 26}; }
  /// n elements in segments of 8.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    const std::int64_t length = std::min<std::int64_t>(n, 8);
    return {n / length, length};
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return extents_of(f[0]); }

  static TestShape shape_of(Form form, Lengths lengths, std::int64_t segments, std::int64_t length) {
    TestShape shape{{segments * length, form, segments}, segments, length, lengths};
    if (form == Form::keys) shape.segments = 1, shape.key_bytes = static_cast<int>(size_of(shape.key));
    if (lengths != Lengths::alike) shape.n = sizes_of(lengths, segments, length).elements;
    return shape;
  }

  /// Elements outside all segments are NaN, or the largest number; results there are not written.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Acc = typename C::Acc;
    using Op = typename C::Op;
    static constexpr bool kRounds = std::is_floating_point_v<Acc>;
    TestShape shape;
    bool exact;
    Acc init;
    std::vector<std::int64_t> bounds_of_segments;  // in the input
    Input<std::int64_t> offsets;
    Input<T> in;
    KeyInput keys;
    Output<T> out;
    std::vector<double> magnitude, roundings;  // of each element: |init| and Σ|x| up to it, elements

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          exact(is_exact(inputs.values, C::id)),
          init(s.with_init ? C::load(initial_value<C>(inputs.seed)) : C::identity()),
          bounds_of_segments(made_offsets(s)),
          offsets(*this, s.form == Form::offsets ? bounds_of_segments : std::vector<std::int64_t>{},
                  inputs.offset % 8, "offsets"),
          in(*this, bounds_of_segments.back() + (s.inside ? kMargin : 0), inputs.offset),
          keys(*this, s.key, s.key_pattern, bounds_of_segments, s.form == Form::keys ? in.size() : 0,
               inputs.offset + 3 * s.skewed),
          out(*this, in.size(), inputs.offset + s.skewed, s.in_place ? &in : nullptr) {
      fill(std::span<T>(in.values), Op::id, inputs);
      for (std::int64_t i = 0; i < kMargin && s.inside; ++i)
        in.values[static_cast<std::size_t>(i)] =
            in.values[in.values.size() - 1 - static_cast<std::size_t>(i)] = outside();
      reference();
    }
    typename C::Args args() {
      SegmentedScan::Layout layout{shape.form, in.size(), nullptr, 0, 0, {}};
      if (shape.form == Form::keys) layout.keys = keys.keys();
      if (shape.form == Form::equal) layout.count = shape.segments, layout.length = shape.length;
      if (shape.form == Form::offsets) layout.offsets = offsets.data(), layout.count = offsets.size() - 1;
      return {in.data(), out.data(), shape.exclusive, layout, init, shape.with_init};
    }
    Verdict check(double depth) {
      out.bounds.resize(magnitude.size());
      for (std::size_t i = 0; i < magnitude.size(); ++i)
        out.bounds[i] =
            rounded_error(gamma<Acc>(std::min(depth, roundings[i]) + 1) * magnitude[i], out.want[i]);
      return {};
    }

   private:
    static std::vector<std::int64_t> made_offsets(const TestShape& s) {
      std::vector<std::int64_t> all = offsets_of(s.lengths, s.count, s.length);
      if (s.inside) {
        for (std::int64_t& offset : all) offset += kMargin;
      }
      return all;
    }
    static T outside() {
      if constexpr (std::is_same_v<T, Bicyclic>)
        return {7, 7};
      else
        return std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN()
                                                     : std::numeric_limits<T>::max();
    }
    void reference() {
      const std::vector<T>& x = in.values;
      out.want = x;
      if (!shape.in_place && !x.empty())
        std::memset(static_cast<void*>(out.want.data()), 0xFF, x.size() * sizeof(T));
      if (!exact) magnitude.resize(x.size()), roundings.resize(x.size());
      const auto add = [&](std::int64_t begin, std::int64_t end) {
        Wider<Acc> running;
        double sum = 0;
        const auto begin_anew = [&] {
          running = static_cast<Wider<Acc>>(init);
          if constexpr (kRounds) sum = shape.with_init ? std::fabs(static_cast<double>(init)) : 0;
        };
        begin_anew();
        for (std::int64_t i = begin; i < end; ++i) {
          const auto at = static_cast<std::size_t>(i);
          if (shape.form == Form::keys && keys.begins[at]) begin_anew(), begin = i;
          const auto next = Op{}(running, static_cast<Wider<Acc>>(C::load(x[at])));
          out.want[at] = C::result(static_cast<Acc>(shape.exclusive ? running : next));
          running = next;
          if constexpr (kRounds) {
            sum += std::fabs(static_cast<double>(x[at]));
            if (!exact) magnitude[at] = sum, roundings[at] = static_cast<double>(i - begin + 1);
          }
        }
      };
      if (shape.form == Form::keys) return add(0, in.size());
      for (std::size_t s = 0; s + 1 < bounds_of_segments.size(); ++s)
        add(bounds_of_segments[s], bounds_of_segments[s + 1]);
    }
  };

  /// Ones in segments of one length, so that results count from 1 on, or from 0.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    std::optional<LargeOperand<std::int64_t>> offsets;
    std::optional<LargeOperand<std::uint32_t>> keys;
    LargeOperand<T> in, out;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          in(*this, s.n, ClosedForm<T>{{T(1)}}),
          out(*this, s.n, LargeOperand<T>::kNothing, results()) {
      if (s.form == Form::offsets) {
        ClosedForm<std::int64_t> multiples{{0}};
        multiples.rise = s.length;
        offsets.emplace(*this, s.segments + 1, multiples);
      } else if (s.form == Form::keys) {
        ClosedForm<std::uint32_t> runs;
        for (std::uint32_t key = 0; key < 127; ++key) runs.first.push_back(key);
        runs.a = 1, runs.b = 0, runs.ld = s.length;
        keys.emplace(*this, s.n, runs);
      }
    }
    typename C::Args args() {
      SegmentedScan::Layout layout{shape.form, shape.n, nullptr, shape.segments, shape.length, {}};
      if (offsets) layout.offsets = offsets->data();
      if (keys) layout.keys = {keys->data(), Type::u32};
      return {in.data(), out.data(), shape.exclusive, layout};
    }
    Verdict check(double) { return {}; }

   private:
    ClosedForm<T> results() const {
      ClosedForm<T> form{{T(shape.exclusive ? 0 : 1)}};
      form.ld = shape.length;
      form.rise = 1;
      return form;
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string what(Contract::variants[shape.variant()]);
    if (shape.form == Form::keys)
      what =
          fmt::format("keys of {}, {}", name(shape.key), kKeyPatterns[static_cast<int>(shape.key_pattern)]);
    return {shape, inputs, shape.n,
            fmt::format("{}, {}{}{}{}{}{}", what, kLengths[static_cast<int>(shape.lengths)],
                        shape.exclusive ? ", exclusive" : "", shape.with_init ? " with init" : "",
                        shape.in_place ? ", in place" : "", shape.inside ? ", inside" : "",
                        shape.skewed ? ", skewed" : ""),
            fmt::format("{}x{}", shape.count, shape.length)};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    enum { kCase, kSegments, kLength, kLengthsAxis, kForm, kKeysAxis, kMode, kInside, kValues, kOffset };
    constexpr std::int64_t kMost = 20'000;  // elements
    const std::vector<CaseId> ids = case_ids<Contract>();
    const auto id = [&](int c) { return ids[static_cast<std::size_t>(c)]; };
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (!has_large(ids[c])) continue;
        const std::int64_t n =
            size_of(ids[c].type) == 8 ? (std::int64_t{1} << 29) + 5 : (std::int64_t{1} << 32) + 5;
        for (const Form form : {Form::equal, Form::offsets, Form::keys}) {
          for (const std::int64_t length : {std::int64_t{100}, n - 7}) {
            TestShape shape = shape_of(form, Lengths::alike, n / length, length);
            shape.exclusive = length > 100;
            plan.trials[c].push_back(trial(shape, {Values::exact, seed, 0}));
            plan.trials[c].back().inputs.closed_form = true;
          }
        }
      }
      return plan;
    }
    std::vector<std::int64_t> segments{0, 1, 2, 3, 7, 31, 32, 33, 127, 256, 257, 1000, 4099};
    std::vector<std::int64_t> lengths{0,    1,    2,    3,    4,    5,    7,    8,    9,    15,    31,  32,
                                      33,   64,   100,  127,  128,  255,  256,  257,  511,  512,   513, 1023,
                                      1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8193, 10'007};
    if (coverage == Coverage::brief) segments = {1, 9, 257}, lengths = {3, 32, 65, 1000};
    const auto texts = [](const std::vector<std::int64_t>& values) {
      std::vector<std::string> all;
      for (const std::int64_t v : values) all.push_back(std::to_string(v));
      return all;
    };
    const auto of = [](const std::vector<std::int64_t>& values, int i) {
      return values[static_cast<std::size_t>(i)];
    };
    // Equal, by offsets, then the types of keys.
    std::vector<std::string> forms{"equal", "offsets"};
    for (const Type type : kKeyTypes) forms.push_back("keys " + std::string(name(type)));
    const int form_count = static_cast<int>(forms.size());
    plan.axes.add("case", names(ids));
    plan.axes.add("segments", texts(segments));
    plan.axes.add("length", texts(lengths));
    plan.axes.add("lengths", {std::begin(kLengths), std::end(kLengths)});
    plan.axes.add("form", forms);
    plan.axes.add("keys", {std::begin(kKeyPatterns), std::end(kKeyPatterns)});
    plan.axes.add("mode", {"inclusive", "exclusive", "inclusive in place", "exclusive in place", "skewed",
                           "exclusive with init", "exclusive with init in place"});
    plan.axes.add("inside", {"no", "yes"});
    plan.axes.add("values", value_names());
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kSegments, kLength,
                      [&](int s, int l) { return of(segments, s) * of(lengths, l) > kMost; });
    plan.axes.exclude(kLengthsAxis, kForm, [&](int l, int f) { return f == 0 && l > 0; });
    plan.axes.exclude(kForm, kKeysAxis, [&](int f, int k) { return f < 2 && k > 0; });
    plan.axes.exclude(kForm, kInside, [&](int f, int inside) { return f != 1 && inside == 1; });
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      const int form = std::min(point[kForm], 2), mode = point[kMode];
      TestShape shape = shape_of(static_cast<Form>(form), static_cast<Lengths>(point[kLengthsAxis]),
                                 of(segments, point[kSegments]), of(lengths, point[kLength]));
      if (form == 2) {
        shape.key = kKeyTypes[point[kForm] - 2];
        shape.key_bytes = static_cast<int>(size_of(shape.key));
        shape.key_pattern = static_cast<KeyPattern>(point[kKeysAxis]);
      }
      shape.with_init = mode == 5 || mode == 6;
      shape.exclusive = mode == 1 || mode == 3 || shape.with_init;
      shape.in_place = mode == 2 || mode == 3 || mode == 6;
      shape.skewed = mode == 4;
      shape.inside = point[kInside] == 1;
      trials.push_back(trial(shape, {static_cast<Values>(point[kValues]), seed + trials.size(),
                                     offset_in_elements(id(point[kCase]), point[kOffset])}));
      trials.back().point = point;
    };
    const int turns = coverage == Coverage::full ? 4 : 1;
    for (int turn = 0; turn < turns; ++turn) {
      for (int f = 0; f < form_count; ++f) {
        for (int c = 0; c < static_cast<int>(ids.size()); ++c) add({c, -1, -1, -1, f, -1, -1, -1, -1, -1});
        for (int l = 0; l < static_cast<int>(lengths.size()); ++l)
          add({-1, -1, l, -1, f, -1, -1, -1, -1, -1});
      }
    }
    if (coverage == Coverage::brief) return plan;
    while (const auto open = covering.open()) add(*open);
    // More elements than a wave of blocks takes, and than threads of the CPU share; one type will do, and one whose order
    // matters.
    const auto ordered =
        static_cast<std::size_t>(std::ranges::find(ids, kConcatenate, &CaseId::op) - ids.begin());
    const auto more = [&](Form form, Lengths of_segments, std::int64_t count, std::int64_t length,
                          std::size_t c = 0) {
      std::vector<Trial>& trials = plan.trials[c];
      TestShape shape = shape_of(form, of_segments, count, length);
      const bool odd = trials.size() % 2 == 1;
      shape.exclusive = odd;
      shape.with_init = odd && trials.size() % 4 == 1;
      trials.push_back(trial(shape, {odd ? Values::exact : Values::real, seed, 1}));
    };
    for (const Form form : {Form::equal, Form::offsets, Form::keys}) {
      more(form, Lengths::alike, 25'013, 8), more(form, Lengths::alike, 1, 200'003);
      more(form, Lengths::alike, 200'003, 1);
      more(form, Lengths::alike, 1, 131'073);  // a last piece, of those that threads share, of one element
      more(form, Lengths::alike, 1, 40'009);   // two pieces, which one thread takes
      more(form, Lengths::alike, 1, 70'001, ordered);
      if (form == Form::equal) continue;
      more(form, Lengths::ragged, 40'009, 5), more(form, Lengths::skewed, 10'007, 20);
      more(form, Lengths::mostly_empty, 100'003, 2);
      if (coverage == Coverage::full)
        more(form, Lengths::power_law, 7, 400'009), more(form, Lengths::skewed, 100'003, 30);
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (const Form form : {Form::equal, Form::offsets, Form::keys}) {
      trials.push_back(trial(
          shape_of(form, form == Form::offsets ? Lengths::ragged : Lengths::alike, extents[0], extents[1]),
          {Values::exact, seed, 0}));
      trials.back().variant = Contract::variants[static_cast<std::size_t>(form)];  // as the choice knows it
    }
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const std::int64_t length = draws.size(1, elements), segments = draws.size(1, elements / length);
    const auto form = static_cast<Form>(draws.below(3));
    const bool alike = form == Form::equal || draws.one_in(2);
    TestShape shape = shape_of(form, alike ? Lengths::alike : Lengths::ragged, segments, length);
    if (form == Form::keys) {
      shape.key = kKeyTypes[draws.below(std::size(kKeyTypes))];
      shape.key_bytes = static_cast<int>(size_of(shape.key));
    }
    shape.exclusive = draws.one_in(2);
    shape.with_init = shape.exclusive && draws.one_in(2);
    shape.in_place = draws.one_in(4);
    const Inputs inputs{Values::exact, draws.bits(), draw_offset(id, draws)};
    shape.skewed = draws.one_in(8) && !shape.in_place;
    return trial(shape, inputs);
  }

  static double memory(CaseId id, const TestShape& shape) {
    const auto n = static_cast<double>(shape.n);
    return n * (4 * static_cast<double>(size_of(id.type)) + 2.0 * shape.key_bytes + 17) +
           16 * static_cast<double>(shape.count);
  }

  /// Every element, and its key or its offset, is read, and every result written.
  static Work work(CaseId id, const TestShape& shape) {
    const auto n = static_cast<double>(shape.n);
    const double offsets = shape.form == Form::offsets ? 8 * static_cast<double>(shape.segments + 1) : 0;
    return {n * (2 * static_cast<double>(size_of(id.type)) + shape.key_bytes) + offsets, n,
            shape.form == Form::keys ? 2 : 1};
  }

  static Complexity count(const Implementation& implementation, Context& ctx, const TestShape& shape) {
    using Counting = SegmentedScan::Counting;
    const std::vector<std::int64_t> bounds = offsets_of(shape.lengths, shape.count, shape.length);
    const Array<std::int64_t> offsets(ctx, bounds);
    std::vector<std::uint32_t> runs;
    for (std::size_t s = 0; s + 1 < bounds.size(); ++s)
      runs.insert(runs.end(), static_cast<std::size_t>(bounds[s + 1] - bounds[s]),
                  static_cast<std::uint32_t>(s));
    const Array<std::uint32_t> keys(ctx, runs);
    return count_over_arrays<Counting>(implementation, ctx, shape.n, shape.n, [&](auto* in, auto* out) {
      SegmentedScan::Layout layout{shape.form, shape.n, nullptr, shape.count, shape.length, {}};
      if (shape.form == Form::offsets) layout.offsets = offsets.data();
      if (shape.form == Form::keys) layout.keys = {keys.data(), Type::u32};
      return Counting::Args{in, out, shape.exclusive, layout};
    });
  }
};

REGISTER_OPERATION(SegmentedScanHarness)

}  // namespace
}  // namespace tandem
