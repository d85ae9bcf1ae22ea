// sort: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "lib/harness/operation.h"
#include "lib/harness/sort_keys.h"

namespace tandem {
namespace {

/// Which bits of a key's code count.
struct BitRange {
  const char* name;
  double begin, end;  // shares of a key
};
constexpr BitRange kRanges[] = {
    {"", 0, 1}, {"low bits", 0, 0.4}, {"high bits", 0.6, 1}, {"middle bits", 0.3, 0.6}, {"a bit", 0.5, 0.54}};

struct SortHarness {
  using Contract = Sort;
  struct TestShape : Sort::Shape {
    SortKeys pattern = SortKeys::random;
    int range = 0;             // of kRanges
    bool skewed = false;       // each array starts at an alignment of its own
    std::int64_t repeats = 1;  // of each key, in closed form
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr bool has_large(CaseId id) { return id.type == Type::u32 || id.type == Type::i64; }
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 22, 1 << 26}; }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Key = typename C::Key;
    using Wide = std::uint64_t;
    static constexpr int kBits = 8 * sizeof(Key);
    TestShape shape;
    int begin_bit, end_bit;
    Input<T> keys;
    Input<std::uint32_t> words;  // the values, of either size
    Input<Wide> wides;
    Output<T> keys_out;
    Output<std::uint32_t> words_out;
    Output<Wide> wides_out;

    /// What is right.
    struct Sorted {
      std::vector<T> keys;
      std::vector<std::uint32_t> words;
      std::vector<Wide> wides;
    } want;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          begin_bit(static_cast<int>(std::lround(kRanges[s.range].begin * kBits))),
          end_bit(static_cast<int>(std::lround(kRanges[s.range].end * kBits))),
          keys(*this, s.n, inputs.offset, "keys"),
          words(*this, s.value_bytes == 4 ? s.n : 0, inputs.offset + s.skewed, "values"),
          wides(*this, s.value_bytes == 8 ? s.n : 0, inputs.offset + s.skewed, "values"),
          keys_out(*this, s.n, inputs.offset + 2 * s.skewed, s.in_place ? &keys : nullptr),
          words_out(*this, words.size(), inputs.offset + 3 * s.skewed, s.in_place ? &words : nullptr),
          wides_out(*this, wides.size(), inputs.offset + 3 * s.skewed, s.in_place ? &wides : nullptr) {
      if (inputs.data.empty())
        fill_sort_keys(keys.values, shape.pattern, inputs.seed);
      else
        fill(std::span<T>(keys.values), C::id.op, inputs);
      // Each value tells where its key was.
      std::iota(words.values.begin(), words.values.end(), 0u);
      for (std::size_t i = 0; i < wides.values.size(); ++i) wides.values[i] = place(i);
      const KeyOrder<Key> order = this->order();
      want = sorted_by([&](Key key) { return begin_bit < end_bit ? order.rank(key) : 0; });
    }
    typename C::Args args() {
      const bool wide = shape.value_bytes == 8;
      typename C::Args a{reinterpret_cast<const Key*>(keys.data()),
                         shape.n,
                         reinterpret_cast<Key*>(keys_out.data()),
                         nullptr,
                         nullptr,
                         shape.value_bytes,
                         order()};
      if (shape.value_bytes > 0) {
        a.values = wide ? static_cast<const void*>(wides.data()) : words.data();
        a.values_out = wide ? static_cast<void*>(wides_out.data()) : words_out.data();
      }
      return a;
    }
    /// Libraries order NaNs by their bits, as if they were numbers.
    Verdict check(double) {
      Verdict verdict = against(want);
      if (verdict.correct || !TypeTraits<T>::floating || shape.pattern != SortKeys::special) return verdict;
      KeyOrder<Key> numbers = order();
      numbers.floating = false;
      verdict.digits_alone =
          against(sorted_by([&](Key key) { return numbers.rank(code_of_bits(key)); })).correct;
      return verdict;
    }

   private:
    static Wide place(std::size_t i) {
      return static_cast<Wide>(i) << 32 | (~static_cast<Wide>(i) & 0xFFFFFFFFu);
    }
    KeyOrder<Key> order() const { return C::order(shape.descending, begin_bit, end_bit); }

    /// A stable sort.
    template <class Rank>
    Sorted sorted_by(Rank rank) const {
      std::vector<Key> ranks;
      for (const T key : keys.values) ranks.push_back(rank(std::bit_cast<Key>(key)));
      std::vector<std::size_t> at(ranks.size());
      std::iota(at.begin(), at.end(), std::size_t{0});
      std::ranges::stable_sort(at, {}, [&](std::size_t i) { return ranks[i]; });
      Sorted all;
      for (const std::size_t i : at) {
        all.keys.push_back(keys.values[i]);
        if (!words.values.empty()) all.words.push_back(words.values[i]);
        if (!wides.values.empty()) all.wides.push_back(wides.values[i]);
      }
      return all;
    }
    Verdict against(const Sorted& right) {
      Verdict verdict = compare<T>(keys_out.contents(), right.keys, {}, Same::bits);
      verdict.include(compare<std::uint32_t>(words_out.contents(), right.words));
      verdict.include(compare<Wide>(wides_out.contents(), right.wides));
      return verdict;
    }
  };

  /// Falling keys, each as often, whose values tell where they were.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    using Key = typename C::Key;
    std::int64_t n;
    LargeOperand<T> keys, keys_out;
    LargeOperand<std::uint32_t> words, words_out;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          n(s.n),
          keys(*this, n, falling_lines<T>(n / s.repeats, s.repeats)),
          keys_out(*this, n, LargeOperand<T>::kNothing, rising_lines<T>(s.repeats)),
          words(*this, s.value_bytes == 4 ? n : 0, rising_form<std::uint32_t>()),
          words_out(*this, words.size(), LargeOperand<std::uint32_t>::kNothing,
                    places_from_last_line<std::uint32_t>(n / s.repeats, s.repeats)) {}
    typename C::Args args() {
      return {reinterpret_cast<const Key*>(keys.data()),
              n,
              reinterpret_cast<Key*>(keys_out.data()),
              words.size() > 0 ? words.data() : nullptr,
              words.size() > 0 ? words_out.data() : nullptr,
              words.size() > 0 ? 4 : 0,
              C::order(false, 0, 8 * sizeof(Key))};
    }
    Verdict check(double) { return {}; }
  };

  static std::string variant(const TestShape& s) {
    std::string text = s.value_bytes == 0 ? "keys" : fmt::format("pairs {}", s.value_bytes);
    if (s.descending) text += " descending";
    if (s.range > 0) text += fmt::format(" {}", kRanges[s.range].name);
    if (s.in_place) text += " in place";
    if (s.skewed) text += " skewed";
    return text;
  }
  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string text = variant(shape);
    if (shape.pattern != SortKeys::random)
      text += fmt::format(" {}", kSortKeys[static_cast<int>(shape.pattern)]);
    return {shape, inputs, shape.n, text, "", shape.pattern == SortKeys::special ? "special" : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr int kValueBytes[] = {0, 4, 8};
    constexpr std::int64_t kAllFormsUpTo = 2049, kLongest = 40000;
    enum { kCase, kSize, kValues, kOrder, kPlaces, kRange, kPattern, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (!has_large(ids[c])) continue;
        for (const auto& [n, repeats] : huge_keys(ids[c].type == Type::i64)) {
          for (const int value_bytes : {0, 4}) {
            TestShape shape{{n, value_bytes}};
            shape.repeats = repeats;
            plan.trials[c].push_back(trial(shape, {Values::exact, seed}));
            plan.trials[c].back().inputs.closed_form = true;
          }
        }
      }
      return plan;
    }
    std::vector<std::int64_t> sizes = test_sizes(coverage);
    if (coverage != Coverage::full) std::erase_if(sizes, [](std::int64_t n) { return n > kLongest; });
    std::vector<std::string> size_names, range_names;
    for (const std::int64_t n : sizes) size_names.push_back(std::to_string(n));
    for (const BitRange& range : kRanges) range_names.emplace_back(range.name);
    plan.axes.add("case", names(ids));
    plan.axes.add("size", size_names);
    plan.axes.add("values", {"none", "4 bytes", "8 bytes"});
    plan.axes.add("order", {"ascending", "descending"});
    plan.axes.add("places", {"apart", "in place", "skewed"});
    plan.axes.add("bits", range_names);
    plan.axes.add("pattern", {std::begin(kSortKeys), std::end(kSortKeys)});
    plan.axes.add("offset", offset_names());
    const auto id = [&](int c) { return ids[static_cast<std::size_t>(c)]; };
    const auto size = [&](int s) { return sizes[static_cast<std::size_t>(s)]; };
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
    // Where the executor takes long: a type of each width, at one alignment.
    const auto is_long = [&](int s) { return size(s) > kAllFormsUpTo; };
    plan.axes.exclude(kCase, kSize, [&](int c, int s) {
      return is_long(s) && id(c).type != Type::u32 &&
             (id(c).type != Type::f64 || size(s) > 2 * kAllFormsUpTo);
    });
    plan.axes.exclude(kSize, kRange, [&](int s, int range) { return is_long(s) && range > 0; });
    plan.axes.exclude(kSize, kOffset, [&](int s, int o) { return is_long(s) && kOffsets[o] != 8; });
    plan.axes.exclude(kSize, kPattern, [&](int s, int p) {
      return is_long(s) && p > static_cast<int>(SortKeys::few) && p < static_cast<int>(SortKeys::special);
    });
    plan.axes.close();

    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape shape{{size(point[kSize]), kValueBytes[point[kValues]], point[kOrder] == 1,
                       point[kPlaces] == 1, point[kRange] == 0},
                      static_cast<SortKeys>(point[kPattern]),
                      point[kRange],
                      point[kPlaces] == 2};
      const Inputs inputs{Values::exact, seed + trials.size(),
                          offset_in_elements(id(point[kCase]), point[kOffset])};
      trials.push_back(trial(shape, inputs));
      trials.back().point = point;
    };
    if (coverage == Coverage::brief) {
      for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
        for (int s = 0; s < static_cast<int>(sizes.size()); ++s) add({c, s, -1, -1, -1, -1, -1, -1});
      }
    } else {
      while (const auto open = covering.open()) add(*open);
      // Long arrays of wide keys, whose values are what shared memory may not hold.
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (ids[c].type != Type::u64) continue;
        for (const int value_bytes : kValueBytes)
          plan.trials[c].push_back(trial({{kLongest, value_bytes}}, {Values::exact, seed}));
      }
      // Zero among negative and positive keys, some of whose bits count: CUB takes them for those of −0.
      constexpr int kABit = static_cast<int>(std::size(kRanges)) - 1;
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (is_floating(ids[c].type))
          plan.trials[c].push_back(
              trial({{1000, 4, true, false, false}, SortKeys::sorted, kABit}, {Values::exact, seed}));
      }
    }
    return plan;
  }
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    TestShape shape{{0, static_cast<int>(4 * draws.below(3)), draws.one_in(2), draws.one_in(2)}};
    shape.n = draws.size(1, elements / (1 + shape.value_bytes / 4));
    shape.pattern = static_cast<SortKeys>(draws.one_in(2) ? 0 : draws.below(std::size(kSortKeys)));
    if (draws.one_in(4)) shape.range = static_cast<int>(draws.below(std::size(kRanges)));
    shape.all_bits = shape.range == 0;
    shape.in_place = false;  // timed once more, a call would find its keys sorted
    return trial(shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    const Inputs inputs{Values::exact, seed, 0};
    return {trial({{n}}, inputs), trial({{n, 4}}, inputs)};
  }
  /// A read and a write of each key and value; a comparison for each key at the very least.
  static Work work(CaseId id, const TestShape& shape) {
    const auto n = static_cast<double>(shape.n);
    return {2 * n * (static_cast<double>(size_of(id.type)) + shape.value_bytes), n};
  }
};

REGISTER_OPERATION(SortHarness)

}  // namespace
}  // namespace tandem
