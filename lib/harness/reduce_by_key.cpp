// reduce_by_key: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "lib/harness/operation.h"
#include "lib/harness/run_keys.h"
#include "lib/harness/segments.h"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem {
namespace {

struct ReduceByKeyHarness {
  using Contract = ReduceByKey;
  struct TestShape : ReduceByKey::Shape {
    std::int64_t runs = 0;
    std::int64_t length = 0;  // about the average
    Lengths lengths = Lengths::alike;
    Type key = Type::u32;
    KeyPattern key_pattern = KeyPattern::rising;
    bool skewed = false;  // keys and results start at other alignments than the elements
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr bool has_large(CaseId id) { return sums_whole_numbers(id); }
  static constexpr Extent kExtents[] = {{"runs"}, {"length"}};
  static constexpr std::int64_t executor_size = 1 << 14;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 22, 1 << 26}; }
  /// n elements in runs of 8.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    const std::int64_t length = std::min<std::int64_t>(n, 8);
    return {n / length, length};
  }

  static TestShape shape_of(Lengths lengths, std::int64_t runs, std::int64_t length, Type key = Type::u32) {
    TestShape shape{{runs * length, static_cast<int>(size_of(key))}, runs, length, lengths, key};
    if (lengths != Lengths::alike) shape.n = sizes_of(lengths, runs, length).elements;
    return shape;
  }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Acc = typename C::Acc;
    using Op = typename C::Op;
    TestShape shape;
    bool exact;
    KeyInput keys;
    Input<T> in;
    KeyOutput keys_out;
    Output<Acc> out;
    Output<std::int64_t> count;
    std::vector<double> magnitude, roundings;  // of each run: Σ|x|, elements

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          exact(is_exact(inputs.values, C::id)),
          keys(*this, s.key, s.key_pattern, offsets_of(s.lengths, s.runs, s.length), s.n,
               inputs.offset + 3 * s.skewed),
          in(*this, s.n, inputs.offset),
          keys_out(*this, keys, inputs.offset + 2 * s.skewed),
          out(*this, s.n, inputs.offset + s.skewed),
          count(*this, 1) {
      fill(std::span<T>(in.values), Op::id, inputs);
      reference();
    }
    typename C::Args args() {
      return {keys.keys(), in.data(), shape.n, keys_out.data(), out.data(), count.data()};
    }
    Verdict check(double depth) {
      out.bounds.assign(exact ? 0 : out.want.size(), 0);
      for (std::size_t r = 0; r < magnitude.size(); ++r)
        out.bounds[r] = gamma<Acc>(std::min(depth, roundings[r]) + 1) * magnitude[r];
      return {};
    }

   private:
    Wider<Acc> operand(std::size_t i) const { return static_cast<Wider<Acc>>(C::load(in.values[i])); }
    /// What lies behind the last run's stays poisoned.
    void reference() {
      const std::size_t n = in.values.size();
      out.want.resize(n);
      if (n > 0) std::memset(static_cast<void*>(out.want.data()), 0xFF, n * sizeof(Acc));
      std::size_t runs = 0;
      for (std::size_t i = 0; i < n; ++runs) {
        keys_out.take(keys, i, runs);
        auto total = operand(i);
        double sum = std::fabs(static_cast<double>(total));
        const std::size_t begin = i++;
        for (; i < n && !keys.begins[i]; ++i) {
          total = Op{}(total, operand(i));
          sum += std::fabs(static_cast<double>(operand(i)));
        }
        out.want[runs] = static_cast<Acc>(total);
        if (!exact) magnitude.push_back(sum), roundings.push_back(static_cast<double>(i - begin));
      }
      count.want = {static_cast<std::int64_t>(runs)};
      out.results = static_cast<std::int64_t>(runs);
      keys_out.results(out.results);
    }
  };

  /// Ones in runs of one length.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    using Acc = typename C::Acc;
    TestShape shape;
    LargeOperand<std::uint32_t> keys, keys_out;
    LargeOperand<T> in;
    LargeOperand<Acc> out;
    Output<std::int64_t> count;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          keys(*this, s.n, in_runs_of(s.length)),
          keys_out(*this, s.runs, LargeOperand<std::uint32_t>::kNothing, in_runs_of(1)),
          in(*this, s.n, ClosedForm<T>{{T(1)}}),
          out(*this, s.runs, LargeOperand<Acc>::kNothing, ClosedForm<Acc>{{static_cast<Acc>(s.length)}}),
          count(*this, 1) {
      count.want = {s.runs};
    }
    typename C::Args args() {
      return {{keys.data(), Type::u32}, in.data(), shape.n, keys_out.data(), out.data(), count.data()};
    }
    Verdict check(double) { return {}; }

   private:
    static ClosedForm<std::uint32_t> in_runs_of(std::int64_t length) {
      ClosedForm<std::uint32_t> runs;
      for (std::uint32_t key = 0; key < 127; ++key) runs.first.push_back(key);
      if (length > 1) runs.a = 1, runs.b = 0, runs.ld = length;
      return runs;
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    return {
        shape,
        inputs,
        shape.n,
        fmt::format("{} keys, {}, {}{}", name(shape.key), kKeyPatterns[static_cast<int>(shape.key_pattern)],
                    kLengths[static_cast<int>(shape.lengths)], shape.skewed ? ", skewed" : ""),
        fmt::format("{}x{}", shape.runs, shape.length),
        shape.key_pattern == KeyPattern::odd ? "signed_zeros" : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    enum { kCase, kRuns, kLength, kLengthsAxis, kKey, kPattern, kSkewed, kValues, kOffset };
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
        for (const std::int64_t length : {std::int64_t{3}, std::int64_t{100}, n}) {
          plan.trials[c].push_back(
              trial(shape_of(Lengths::alike, n / length, length), {Values::exact, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        }
      }
      return plan;
    }
    std::vector<std::int64_t> runs{0, 1, 2, 3, 7, 31, 32, 33, 127, 256, 257, 1000, 4099};
    std::vector<std::int64_t> lengths{0,    1,    2,    3,    4,    5,    7,    8,    9,    15,    31,  32,
                                      33,   64,   100,  127,  128,  255,  256,  257,  511,  512,   513, 1023,
                                      1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8193, 10'007};
    if (coverage == Coverage::brief) runs = {1, 9, 257}, lengths = {3, 32, 65, 1000};
    const auto texts = [](const std::vector<std::int64_t>& values) {
      std::vector<std::string> all;
      for (const std::int64_t v : values) all.push_back(std::to_string(v));
      return all;
    };
    const auto of = [](const std::vector<std::int64_t>& values, int i) {
      return values[static_cast<std::size_t>(i)];
    };
    std::vector<std::string> key_names;
    for (const Type type : kKeyTypes) key_names.emplace_back(name(type));
    plan.axes.add("case", names(ids));
    plan.axes.add("runs", texts(runs));
    plan.axes.add("length", texts(lengths));
    plan.axes.add("lengths", {std::begin(kLengths), std::end(kLengths)});
    plan.axes.add("key", key_names);
    plan.axes.add("keys", {std::begin(kKeyPatterns), std::end(kKeyPatterns)});
    plan.axes.add("alignment", {"alike", "skewed"});
    plan.axes.add("values", value_names());
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kRuns, kLength, [&](int r, int l) { return of(runs, r) * of(lengths, l) > kMost; });
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape shape = shape_of(static_cast<Lengths>(point[kLengthsAxis]), of(runs, point[kRuns]),
                                 of(lengths, point[kLength]), kKeyTypes[point[kKey]]);
      shape.key_pattern = static_cast<KeyPattern>(point[kPattern]);
      shape.skewed = point[kSkewed] == 1;
      trials.push_back(trial(shape, {static_cast<Values>(point[kValues]), seed + trials.size(),
                                     offset_in_elements(id(point[kCase]), point[kOffset])}));
      trials.back().point = point;
    };
    const int turns = coverage == Coverage::full ? 4 : 1;
    for (int turn = 0; turn < turns; ++turn) {
      for (int k = 0; k < static_cast<int>(std::size(kKeyTypes)); ++k) {
        for (int c = 0; c < static_cast<int>(ids.size()); ++c) add({c, -1, -1, -1, k, -1, -1, -1, -1});
        for (int l = 0; l < static_cast<int>(lengths.size()); ++l) add({-1, -1, l, -1, k, -1, -1, -1, -1});
      }
    }
    if (coverage == Coverage::brief) return plan;
    while (const auto open = covering.open()) add(*open);
    // More elements than a wave of blocks takes, and than threads of the CPU share; one type will do.
    const auto more = [&](Lengths of_runs, std::int64_t count, std::int64_t length) {
      const Values values = plan.trials[0].size() % 2 ? Values::exact : Values::real;
      plan.trials[0].push_back(trial(shape_of(of_runs, count, length), {values, seed, 1}));
    };
    more(Lengths::alike, 25'013, 8), more(Lengths::alike, 1, 200'003), more(Lengths::alike, 200'003, 1);
    more(Lengths::ragged, 40'009, 5), more(Lengths::skewed, 10'007, 20);
    more(Lengths::mostly_empty, 100'003, 2);
    if (coverage == Coverage::full) more(Lengths::power_law, 7, 400'009), more(Lengths::skewed, 100'003, 30);
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    return {trial(shape_of(Lengths::alike, extents[0], extents[1]), {Values::exact, seed, 0})};
  }
  /// Long runs take another loop than short ones, or several threads.
  static std::vector<Trial> usual_and_hard(CaseId id, const Features& f, std::uint64_t seed) {
    std::vector<Trial> trials = benchmarks(id, extents_of(f[0]), seed);
    for (const std::int64_t length : {std::int64_t{1}, std::min<std::int64_t>(f[0], 1000), f[0]})
      trials.push_back(trial(shape_of(Lengths::alike, f[0] / length, length), {Values::exact, seed, 0}));
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const std::int64_t length = draws.size(1, elements), runs = draws.size(1, elements / length);
    const Type key = kKeyTypes[draws.below(std::size(kKeyTypes))];
    TestShape shape = shape_of(draws.one_in(2) ? Lengths::alike : Lengths::ragged, runs, length, key);
    const Inputs inputs{Values::exact, draws.bits(), draw_offset(id, draws)};
    shape.skewed = draws.one_in(8);
    return trial(shape, inputs);
  }

  /// Bytes of a result.
  static double result_bytes(CaseId id) {
    return static_cast<double>(std::max(size_of(id.type), sizeof(float)));
  }
  static double memory(CaseId id, const TestShape& shape) {
    return static_cast<double>(shape.n) * (5 * result_bytes(id) + 5.0 * shape.key_bytes + 17) +
           16 * static_cast<double>(shape.runs);
  }

  /// Every key and element is read, a key and a value of each run written.
  static Work work(CaseId id, const TestShape& shape) {
    const auto n = static_cast<double>(shape.n), runs = static_cast<double>(shape.runs);
    const auto element = static_cast<double>(size_of(id.type));
    return {n * (element + shape.key_bytes) + runs * (result_bytes(id) + shape.key_bytes), n,
            static_cast<int>(std::clamp<std::int64_t>(shape.length, 1, 4))};
  }
};

REGISTER_OPERATION(ReduceByKeyHarness)

}  // namespace
}  // namespace tandem
