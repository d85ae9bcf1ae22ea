// select: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "lib/harness/operation.h"
#include "lib/ops/select/contract.h"

namespace tandem {
namespace {

/// Which elements are kept. As they come: the values of the trial, compared in one of the six ways with one of them.
enum class Pattern {
  values,
  none,
  one_in_1000,
  one_in_100,
  half,
  all_but_one_in_100,
  all,
  alternating,
  clustered,
  last
};
constexpr std::array kPatterns = {"as they come", "none", "1/1000",      "1/100",     "half",
                                  "99/100",       "all",  "alternating", "clustered", "the last ones"};

struct SelectHarness {
  using Contract = Select;
  using Kind = Select::Kind;
  struct TestShape : Select::Shape {
    Pattern pattern = Pattern::values;
    bool skewed = false;  // input and output start at different alignments
  };
  static constexpr Bound bound = Bound::copy;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 22, 1 << 26}; }

  /// Whether element i is kept, by a pattern.
  static bool kept(Pattern pattern, std::int64_t i, std::int64_t n, std::uint64_t seed) {
    const std::uint64_t draw = random_bits(seed, static_cast<std::uint64_t>(i)) >> 8;
    switch (pattern) {
      case Pattern::one_in_1000:
        return draw % 1000 == 0;
      case Pattern::one_in_100:
        return draw % 100 == 0;
      case Pattern::all_but_one_in_100:
        return draw % 100 != 0;
      case Pattern::half:
        return draw % 2 == 0;
      case Pattern::all:
        return true;
      case Pattern::alternating:
        return i % 2 == 1;
      case Pattern::clustered:  // runs of 700 kept, then 900 not
        return i % 1600 < 700;
      case Pattern::last:
        return i >= n - 77;
      default:
        return false;
    }
  }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    TestShape shape;
    Range<T> range = Range<T>::nothing();
    Input<T> in;
    Input<std::uint8_t> flags;
    Output<T> out;
    Output<std::int64_t> count;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          in(*this, s.n, inputs.offset),
          flags(*this, s.kind == Kind::flags ? s.n : 0, inputs.offset + s.skewed, "flags"),
          out(*this, s.n, inputs.offset + s.skewed, s.in_place ? &in : nullptr),
          count(*this, 1) {
      fill(std::span<T>(in.values), C::id.op, inputs);
      if (s.pattern == Pattern::values && s.n > 0 && s.kind != Kind::unique)
        range = comparison(inputs.seed);
      else if (s.pattern != Pattern::values)
        impose(inputs);
      for (std::size_t i = 0; i < flags.values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const bool keeps =
            s.pattern == Pattern::values ? range(in.values[i]) : kept(s.pattern, at, s.n, inputs.seed);
        flags.values[i] = static_cast<std::uint8_t>(keeps ? 1 + at % 255 : 0);  // any number but 0 says yes
      }
      reference();
    }
    typename C::Args args() {
      return {in.data(),  shape.n,     shape.kind, range, shape.kind == Kind::flags ? flags.data() : nullptr,
              out.data(), count.data()};
    }
    Verdict check(double) { return {}; }  // exact: what Output does by itself

   private:
    Range<T> comparison(std::uint64_t seed) const {
      const T value = in.values[static_cast<std::size_t>(seed % in.values.size())];
      switch (seed / 7 % 6) {
        case 0:
          return less{value}.template range<T>();
        case 1:
          return less_equal{value}.template range<T>();
        case 2:
          return greater{value}.template range<T>();
        case 3:
          return greater_equal{value}.template range<T>();
        case 4:
          return equal{value}.template range<T>();
        default:
          return not_equal{value}.template range<T>();
      }
    }
    /// Values that make the pattern: above a limit where they are kept, else up to it or NaN; or unlike the one before. Flags
    /// need none.
    void impose(const Inputs& inputs) {
      constexpr int kLimit = std::is_unsigned_v<T> ? 89 : 0;
      range = greater{T(kLimit)}.template range<T>();
      if (shape.kind == Kind::flags) return;
      const T nan = std::numeric_limits<T>::quiet_NaN();  // 0 for integers
      const bool with_nan = inputs.values == Values::nan || inputs.values == Values::bits;
      for (std::int64_t i = 0; i < shape.n; ++i) {
        T& x = in.values[static_cast<std::size_t>(i)];
        const bool keeps = kept(shape.pattern, i, shape.n, inputs.seed);
        if (shape.kind != Kind::unique)
          x = keeps ? static_cast<T>(kLimit + 1 + i % 97) : with_nan ? nan : static_cast<T>(kLimit - i % 89);
        else if (i > 0)
          x = static_cast<T>(static_cast<int>(in.values[static_cast<std::size_t>(i - 1)]) % 97 +
                             (keeps ? 1 : 0));
        else
          x = T(0);
      }
    }
    /// The definition. What is not written stays as it was: poisoned, or the input.
    void reference() {
      const std::vector<T>& x = in.values;
      out.want = x;
      if (!shape.in_place && !x.empty())
        std::memset(static_cast<void*>(out.want.data()), 0xFF, x.size() * sizeof(T));
      out.same = Same::bits;
      std::vector<T> others;
      std::size_t end = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        bool keeps = range(x[i]);
        if (shape.kind == Kind::flags) keeps = flags.values[i] != 0;
        if (shape.kind == Kind::unique) keeps = i == 0 || x[i - 1] != x[i];
        if (keeps)
          out.want[end++] = x[i];
        else
          others.push_back(x[i]);
      }
      count.want = {static_cast<std::int64_t>(end)};
      out.results = shape.kind == Kind::partition ? shape.n : count.want[0];
      if (shape.kind == Kind::partition)
        std::copy(others.begin(), others.end(), out.want.begin() + static_cast<std::ptrdiff_t>(end));
    }
  };

  /// A period of small numbers, of which those above 0 are kept; nothing behind the last of them may be written.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    struct Forms {
      ClosedForm<T> in{small_numbers<T>(127)}, out;
      std::int64_t count = 0;
      explicit Forms(std::int64_t n) {
        const auto period = static_cast<std::int64_t>(in.first.size());
        for (std::int64_t i = 0; i < period; ++i) {
          if (!(in.first[static_cast<std::size_t>(i)] > T(0))) continue;
          out.first.push_back(in.first[static_cast<std::size_t>(i)]);
          count += n / period + (i < n % period);
        }
      }
    };
    TestShape shape;
    Forms forms;
    LargeOperand<T> in, out;
    Output<std::int64_t> count;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          forms(s.n),
          in(*this, s.n, forms.in),
          out(*this, forms.count, LargeOperand<T>::kNothing, forms.out),
          count(*this, 1) {
      count.want = {forms.count};
    }
    typename C::Args args() {
      return {in.data(), shape.n,    shape.kind,  greater{T(0)}.template range<T>(),
              nullptr,   out.data(), count.data()};
    }
    Verdict check(double) { return {}; }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    return {shape, inputs, shape.n,
            fmt::format("{}, {}{}{}", Select::variants[shape.variant()],
                        kPatterns[static_cast<std::size_t>(shape.pattern)],
                        shape.in_place ? ", in place" : "", shape.skewed ? ", skewed" : "")};
  }
  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kAllCasesUpTo = 50000, kMostOffsetsUpTo = 1 << 20;
    enum { kCase, kSize, kKind, kPlace, kPattern, kValues, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    const std::vector<std::int64_t> sizes = test_sizes(coverage);
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (is_floating(ids[c].type)) continue;
        for (const std::int64_t n :
             size_of(ids[c].type) == 8 ? std::vector{(std::int64_t{1} << 29) + 5} : sizes) {
          plan.trials[c].push_back(trial({{n}}, {Values::exact, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        }
      }
      return plan;
    }
    const bool full = coverage == Coverage::full;
    const auto id = [&](int c) { return ids[static_cast<std::size_t>(c)]; };
    const auto size = [&](int s) { return sizes[static_cast<std::size_t>(s)]; };
    std::vector<std::string> size_names;
    for (const std::int64_t n : sizes) size_names.push_back(std::to_string(n));
    plan.axes.add("case", names(ids));
    plan.axes.add("size", size_names);
    plan.axes.add("kind", {Select::variants.begin(), Select::variants.end()});
    plan.axes.add("place", {"apart", "skewed", "in place"});
    plan.axes.add("pattern", {kPatterns.begin(), kPatterns.end()});
    plan.axes.add("values", value_names(kMovedValuesCount));
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
    // Where the executor takes long, one type will do, and a few forms.
    plan.axes.exclude(kCase, kSize, [&](int c, int s) {
      return !full && size(s) > kAllCasesUpTo && id(c).type != Type::f32;
    });
    plan.axes.exclude(kSize, kValues, [&](int s, int v) {
      return size(s) > kAllCasesUpTo && static_cast<Values>(v) != Values::exact;
    });
    plan.axes.exclude(kSize, kOffset,
                      [&](int s, int o) { return !full && size(s) > kMostOffsetsUpTo && kOffsets[o] != 8; });
    plan.axes.exclude(kSize, kPattern, [&](int s, int p) {
      return !full && size(s) > kMostOffsetsUpTo && static_cast<Pattern>(p) != Pattern::half;
    });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape shape{{size(point[kSize]), static_cast<Kind>(point[kKind]), point[kPlace] == 2},
                      static_cast<Pattern>(point[kPattern]),
                      point[kPlace] == 1};
      trials.push_back(trial(shape, {static_cast<Values>(point[kValues]), seed + trials.size(),
                                     offset_in_elements(id(point[kCase]), point[kOffset])}));
      trials.back().point = point;
    };
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      for (int s = 0; s < static_cast<int>(sizes.size()); ++s) {
        if (size(s) > kAllCasesUpTo) {
          add({c, s, -1, -1, -1, -1, -1});
        } else {
          for (int kind = 0; kind < static_cast<int>(Select::variants.size()); ++kind)
            add({c, s, kind, -1, -1, -1, -1});
        }
      }
    }
    while (const auto open = covering.open()) add(*open);
    return plan;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    TestShape shape{{draws.size(1, elements), static_cast<Kind>(draws.below(Select::variants.size()))}};
    shape.pattern = static_cast<Pattern>(draws.below(kPatterns.size()));
    shape.in_place = draws.one_in(8);
    const Inputs inputs{Values::exact, draws.bits(), draw_offset(id, draws)};
    shape.skewed = draws.one_in(8) && !shape.in_place;
    return trial(shape, inputs);
  }
  /// Every second element is kept, at random: what is worst to guess. By a predicate also few, nearly all, and the ends of both.
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    std::vector<Trial> trials;
    const auto add = [&](Kind kind, Pattern pattern) {
      trials.push_back(trial({{n, kind}, pattern}, {Values::exact, seed, 0}));
      std::string& name = trials.back().variant;  // as the choice knows it
      name = Select::variants[static_cast<std::size_t>(kind)];
      if (pattern != Pattern::half) name += fmt::format(", {}", kPatterns[static_cast<std::size_t>(pattern)]);
    };
    for (const Kind kind : {Kind::predicate, Kind::flags, Kind::unique, Kind::partition})
      add(kind, Pattern::half);
    for (const Pattern pattern :
         {Pattern::none, Pattern::one_in_100, Pattern::all_but_one_in_100, Pattern::all})
      add(Kind::predicate, pattern);
    return trials;
  }
  /// One read of each element, and of each flag, and one write of each that is kept in the benchmarks, or of all.
  static Work work(CaseId id, const TestShape& shape) {
    const double n = static_cast<double>(shape.n), bytes = n * static_cast<double>(size_of(id.type));
    const double written = shape.kind == Kind::partition ? 1 : share(shape.pattern);
    return {bytes * (1 + written) + (shape.kind == Kind::flags ? n : 0), n,
            shape.kind == Kind::partition ? 1 : 2};
  }

 private:
  /// Of all elements, those that are kept; a half where that is not known.
  static double share(Pattern pattern) {
    switch (pattern) {
      case Pattern::none:
      case Pattern::last:
        return 0;
      case Pattern::one_in_1000:
        return 0.001;
      case Pattern::one_in_100:
        return 0.01;
      case Pattern::all_but_one_in_100:
        return 0.99;
      case Pattern::all:
        return 1;
      default:
        return 0.5;
    }
  }
};

REGISTER_OPERATION(SelectHarness)

}  // namespace
}  // namespace tandem
