// histogram: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lib/harness/operation.h"
#include "lib/ops/histogram/contract.h"

namespace tandem {
namespace {

/// Where elements fall.
enum class Spread { uniform, one_bin, few_values, runs, edges, outside, nan, bits };
constexpr std::array kSpreads = {"uniform",  "one bin",      "four values", "runs of 37",
                                 "at edges", "half outside", "with NaN",    "any bits"};

/// Over what bins lie. Narrow: of few numbers; wide: all that the type has, or half of it.
enum class Over { narrow, odd, wide };
constexpr std::array kOver = {"narrow", "odd", "wide"};

constexpr std::int64_t kBins[] = {1, 2, 3, 17, 64, 256, 1000, 4097, kMostBins};

struct HistogramHarness {
  using Contract = Histogram;
  struct TestShape : Histogram::Shape {
    std::int64_t bins = 1;
    Spread spread = Spread::uniform;
    Over over = Over::odd;
  };
  static constexpr Bound bound = Bound::read;
  static constexpr bool has_large(CaseId id) { return id.type == Type::u8 || id.type == Type::i32; }
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 22, 1 << 26}; }

  template <class T>
  struct Limits {
    bin_edge_t<T> lower, upper;
  };
  template <class T>
  static Limits<T> limits(Over over) {
    using Numbers = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
      if (over == Over::narrow) return {T(1), T(1) + 1000 * Numbers::epsilon()};
      if (over == Over::wide) return {-Numbers::max() / 2, Numbers::max() / 2};
      return {T(-3.7), T(12.9)};
    } else {
      if (over == Over::narrow) return {3, 24};
      if (over == Over::wide) return {Numbers::min(), std::int64_t{Numbers::max()} + 1};
      return {sizeof(T) == 1 ? 5 : std::is_signed_v<T> ? -12345 : 37, sizeof(T) == 1 ? 251 : 98765};
    }
  }

  /// The number beside x, in the direction of `end`.
  template <class Edge>
  static Edge beside(Edge x, Edge end) {
    if constexpr (std::is_floating_point_v<Edge>)
      return std::nextafter(x, end);
    else
      return x < end ? x + 1 : x - 1;
  }

  /// Bins of growing width over about these limits; at times the outer ones have no end.
  template <class T>
  static std::vector<bin_edge_t<T>> edges(Limits<T> over, std::int64_t bins, std::uint64_t seed) {
    using Edge = bin_edge_t<T>;
    constexpr Edge kMost = std::numeric_limits<Edge>::max();
    std::vector<Edge> all{over.lower};
    for (std::int64_t b = 1; b <= bins; ++b) {
      const double at = static_cast<double>(b) / static_cast<double>(bins), share = (at + at * at) / 2;
      const auto even = static_cast<Edge>(static_cast<double>(over.lower) * (1 - share) +
                                          static_cast<double>(over.upper) * share);
      all.push_back(std::max(even, beside(all.back(), kMost)));
    }
    if (std::is_floating_point_v<Edge> && seed % 3 == 0) {
      all.front() = -std::numeric_limits<Edge>::infinity();
      all.back() = std::numeric_limits<Edge>::infinity();
    }
    return all;
  }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Edge = bin_edge_t<T>;
    TestShape shape;
    Limits<T> over;
    Input<T> in;
    Input<Edge> edges;
    Output<std::int64_t> counts;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          over(limits<T>(s.over)),
          in(*this, s.n, inputs.offset),
          edges(*this,
                s.between ? HistogramHarness::edges<T>(over, s.bins, inputs.seed) : std::vector<Edge>{}, 0,
                "edges"),
          counts(*this, s.bins) {
      edges.sent = false;  // made once for many calls
      if (!inputs.data.empty())
        fill(std::span<T>(in.values), C::id.op, inputs);
      else if (s.spread == Spread::bits)
        fill(std::span<T>(in.values), C::id.op, {Values::bits, inputs.seed, 0});
      else
        spread(inputs.seed);
      reference();
    }
    typename C::Args args() {
      const EvenBins<T> even =
          shape.between ? EvenBins<T>{} : EvenBins<T>(over.lower, over.upper, shape.bins);
      return {in.data(),
              shape.n,
              static_cast<std::int32_t>(shape.bins),
              even,
              shape.between ? edges.data() : nullptr,
              counts.data()};
    }
    Verdict check(double) { return {}; }  // exact: what Output does by itself

   private:
    void spread(std::uint64_t seed) {
      for (std::int64_t i = 0; i < shape.n; ++i)
        in.values[static_cast<std::size_t>(i)] = value(seed, static_cast<std::uint64_t>(i));
    }
    T value(std::uint64_t seed, std::uint64_t i) const {
      const std::uint64_t draw = random_bits(seed, i);
      switch (shape.spread) {
        case Spread::one_bin:
          return inside(random_bits(seed, ~std::uint64_t{0}));
        case Spread::few_values:
          return inside(random_bits(seed, ~(draw % 4)));
        case Spread::runs:
          return inside(random_bits(seed, i / 37));
        case Spread::edges:
          return edge(draw);
        case Spread::outside:
          return draw % 2 == 0 ? inside(random_bits(~seed, i)) : beyond(draw / 2);
        case Spread::nan:
          return draw % 3 == 0 ? std::numeric_limits<T>::quiet_NaN() : inside(random_bits(~seed, i));
        default:
          return inside(draw);
      }
    }
    T inside(std::uint64_t draw) const {
      const double unit = static_cast<double>(draw >> 11) * 0x1p-53;
      if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(static_cast<double>(over.lower) * (1 - unit) +
                              static_cast<double>(over.upper) * unit);
      } else {
        const auto range = static_cast<std::uint64_t>(over.upper - over.lower);
        return static_cast<T>(over.lower + static_cast<std::int64_t>(draw % range));
      }
    }
    /// The first number of a bin, the last one, or a neighbour.
    T edge(std::uint64_t draw) const {
      const auto b = static_cast<std::int64_t>(draw / 4 % static_cast<std::uint64_t>(shape.bins + 1));
      const double share = static_cast<double>(b) / static_cast<double>(shape.bins);
      Edge at = shape.between ? edges.values[static_cast<std::size_t>(b)]
                              : static_cast<Edge>(static_cast<double>(over.lower) * (1 - share) +
                                                  static_cast<double>(over.upper) * share);
      if (draw % 4 == 1) at = beside(at, std::numeric_limits<Edge>::max());
      if (draw % 4 == 2) at = beside(at, std::numeric_limits<Edge>::lowest());
      return static_cast<T>(at);  // of integers that are none of T another one
    }
    T beyond(std::uint64_t draw) const {
      if constexpr (std::is_floating_point_v<T>) {
        const std::array<T, 6> far = {over.upper,
                                      std::numeric_limits<T>::infinity(),
                                      -std::numeric_limits<T>::infinity(),
                                      std::numeric_limits<T>::max(),
                                      std::numeric_limits<T>::lowest(),
                                      std::nextafter(over.lower, -std::numeric_limits<T>::infinity())};
        return far[draw % far.size()];
      } else {
        return static_cast<T>(draw % 3 == 0   ? static_cast<std::uint64_t>(over.upper)
                              : draw % 3 == 1 ? static_cast<std::uint64_t>(over.lower - 1)
                                              : draw / 3);
      }
    }

    /// The definition.
    void reference() {
      counts.want.assign(static_cast<std::size_t>(shape.bins), 0);
      for (const T x : in.values) {
        if (const std::int64_t bin = shape.between ? between(x) : even(x); bin >= 0)
          ++counts.want[static_cast<std::size_t>(bin)];
      }
    }
    std::int64_t between(T x) const {
      const std::vector<Edge>& all = edges.values;
      if (x != x || x < all.front() || x >= all.back()) return -1;
      return std::upper_bound(all.begin(), all.end(), static_cast<Edge>(x)) - all.begin() - 1;
    }
    std::int64_t even(T x) const {
      const Edge at = x;
      if (!(over.lower <= at && at < over.upper)) return -1;
      if constexpr (std::is_floating_point_v<T>) {
        const T scale = static_cast<T>(shape.bins) / (over.upper - over.lower), from = x - over.lower;
        return std::min(static_cast<std::int64_t>(from * scale), shape.bins - 1);
      } else {
        return (at - over.lower) * shape.bins / (over.upper - over.lower);  // below 2^48
      }
    }
  };

  /// A period of numbers, each in a bin of its own but the lowest and the highest, which are outside.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    EvenBins<T> even;
    ClosedForm<T> form{small_numbers<T>(127)};
    LargeOperand<T> in;
    Output<std::int64_t> counts;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          even(static_cast<bin_edge_t<T>>(1), static_cast<bin_edge_t<T>>(1 + s.bins), s.bins),
          in(*this, s.n, form),
          counts(*this, s.bins) {
      counts.want.assign(static_cast<std::size_t>(s.bins), 0);
      const auto period = static_cast<std::int64_t>(form.first.size());
      for (std::int64_t i = 0; i < period; ++i) {
        const auto x = static_cast<double>(form.first[static_cast<std::size_t>(i)]);
        if (x >= 1 && x < static_cast<double>(1 + s.bins))
          counts.want[static_cast<std::size_t>(x) - 1] += s.n / period + (i < s.n % period);
      }
    }
    typename C::Args args() {
      return {in.data(), shape.n, static_cast<std::int32_t>(shape.bins), even, nullptr, counts.data()};
    }
    Verdict check(double) { return {}; }
  };

  static Trial trial(CaseId id, TestShape shape, const Inputs& inputs) {
    shape.slots = id.type == Type::u8 ? 256 : shape.bins;
    if (!shape.between) {
      for_case<Contract>(id, [&]<class C>() {
        const auto over = limits<typename C::T>(shape.over);
        shape.rounds_up = rounds_up(EvenBins<typename C::T>(over.lower, over.upper, shape.bins));
      });
    }
    return {shape, inputs, shape.n,
            fmt::format("{}, {}: {}, {}", Histogram::variants[shape.variant()],
                        kSpreads[static_cast<std::size_t>(shape.spread)], shape.bins,
                        kOver[static_cast<std::size_t>(shape.over)])};
  }
  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kAllCasesUpTo = 50000, kMostOffsetsUpTo = 1 << 20, kManyBinsUpTo = 3000;
    enum { kCase, kSize, kKind, kBinCount, kRange, kSpread, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    const std::vector<std::int64_t> sizes = test_sizes(coverage);
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (!has_large(ids[c])) continue;
        for (const std::int64_t n : sizes) {
          plan.trials[c].push_back(trial(ids[c], {{n, 0}, 7}, {Values::exact, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        }
      }
      return plan;
    }
    const bool full = coverage == Coverage::full;
    const auto id = [&](int c) { return ids[static_cast<std::size_t>(c)]; };
    const auto size = [&](int s) { return sizes[static_cast<std::size_t>(s)]; };
    std::vector<std::string> size_names, bin_names;
    for (const std::int64_t n : sizes) size_names.push_back(std::to_string(n));
    for (const std::int64_t bins : kBins) bin_names.push_back(std::to_string(bins));
    plan.axes.add("case", names(ids));
    plan.axes.add("size", size_names);
    plan.axes.add("kind", {"even", "edges"});
    plan.axes.add("bins", bin_names);
    plan.axes.add("range", {kOver.begin(), kOver.end()});
    plan.axes.add("spread", {kSpreads.begin(), kSpreads.end()});
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
    // Where the executor takes long, two types will do, and few bins.
    plan.axes.exclude(kCase, kSize, [&](int c, int s) {
      return !full && size(s) > kAllCasesUpTo && id(c).type != Type::f32 && id(c).type != Type::u8;
    });
    plan.axes.exclude(kSize, kBinCount,
                      [&](int s, int b) { return !full && size(s) > kManyBinsUpTo && kBins[b] > 256; });
    plan.axes.exclude(kSize, kOffset,
                      [&](int s, int o) { return !full && size(s) > kMostOffsetsUpTo && kOffsets[o] != 8; });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape shape{{size(point[kSize]), 0, point[kKind] == 1},
                      kBins[point[kBinCount]],
                      static_cast<Spread>(point[kSpread]),
                      static_cast<Over>(point[kRange])};
      trials.push_back(
          trial(id(point[kCase]), shape,
                {Values::exact, seed + trials.size(), offset_in_elements(id(point[kCase]), point[kOffset])}));
      trials.back().point = point;
    };
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      for (int s = 0; s < static_cast<int>(sizes.size()); ++s) {
        for (int kind = 0; kind < 2; ++kind) add({c, s, kind, -1, -1, -1, -1});
      }
    }
    while (const auto open = covering.open()) add(*open);
    return plan;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    TestShape shape{{draws.size(1, elements), 0, draws.one_in(3)},
                    draws.size(1, kMostBins),
                    static_cast<Spread>(draws.below(kSpreads.size())),
                    static_cast<Over>(draws.below(kOver.size()))};
    return trial(id, shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }
  /// 256 bins of uniform elements, the values of a byte, and as many bins as there may be, where that differs. The 256 also of elements
  /// that are alike.
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
    std::vector<Trial> trials = spread_over(id, n, seed, Spread::uniform);
    for (const Spread skewed : {Spread::few_values, Spread::one_bin}) {
      trials.push_back(spread_over(id, n, seed, skewed).front());
      trials.back().variant += fmt::format(", {}", kSpreads[static_cast<std::size_t>(skewed)]);
    }
    return trials;
  }
  /// Where all elements fall into one bin, or into few, additions to it come one behind the other.
  static std::vector<Trial> usual_and_hard(CaseId id, const Features& f, std::uint64_t seed) {
    std::vector<Trial> trials = spread_over(id, f[0], seed, Spread::uniform);
    for (const Spread skewed : {Spread::few_values, Spread::one_bin}) {
      const std::vector<Trial> hard = spread_over(id, f[0], seed, skewed);
      trials.insert(trials.end(), hard.begin(), hard.end());
    }
    return trials;
  }
  /// One read of each element, and one write of each count.
  static Work work(CaseId id, const TestShape& shape) {
    const double n = static_cast<double>(shape.n);
    return {n * static_cast<double>(size_of(id.type)) + 8 * static_cast<double>(shape.bins), n};
  }

 private:
  static std::vector<Trial> spread_over(CaseId id, std::int64_t n, std::uint64_t seed, Spread spread) {
    std::vector<Trial> trials;
    const bool bytes = id.type == Type::u8;
    for (const bool between : {false, true}) {
      for (const std::int64_t bins : {std::int64_t{256}, kMostBins}) {
        if (bytes && bins > 256) continue;
        trials.push_back(trial(id, {{n, 0, between}, bins, spread, bytes ? Over::wide : Over::odd},
                               {Values::exact, seed, 0}));
        // By this name recorded measurements are told apart.
        trials.back().variant =
            Histogram::variants[std::any_cast<const TestShape&>(trials.back().shape).variant()];
      }
    }
    return trials;
  }
};

REGISTER_OPERATION(HistogramHarness)

}  // namespace
}  // namespace tandem
