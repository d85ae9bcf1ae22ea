// top_k: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "lib/harness/operation.h"
#include "lib/harness/sort_keys.h"
#include "lib/ops/top_k/contract.h"

namespace tandem {
namespace {

/// Besides the patterns of sort: half of the keys equal, and the k-th among these.
constexpr auto kTie = static_cast<SortKeys>(std::size(kSortKeys));
const char* name(SortKeys pattern) { return pattern == kTie ? "tie" : kSortKeys[static_cast<int>(pattern)]; }

/// What is asked for.
constexpr const char* kResults[] = {"keys", "positions", "both"};

/// k by name: a number, or a share of n.
struct Count {
  std::int64_t number;
  double share = 0;
  std::int64_t of(std::int64_t n) const {
    return std::min(n, static_cast<std::int64_t>(share * static_cast<double>(n)) + number);
  }
  std::string name() const {
    return share == 0 ? std::to_string(number) : fmt::format("{} n{}", share, number ? " - 1" : "");
  }
};
constexpr Count kCounts[] = {{0},       {1},      {2},      {5},     {31},   {32},   {33},   {100},
                             {127},     {128},    {129},    {256},   {257},  {1000}, {1024}, {1025},
                             {2047},    {2048},   {2049},   {4096},  {4097}, {8191}, {8192}, {8193},
                             {0, 0.01}, {0, 0.1}, {0, 0.5}, {-1, 1}, {0, 1}};

struct TopKHarness {
  using Contract = TopK;
  struct TestShape : TopK::Shape {
    SortKeys pattern = SortKeys::random;
    std::int64_t repeats = 1;  // of each key, in closed form
  };
  static constexpr Bound bound = Bound::read;
  static constexpr bool has_large(CaseId id) { return id.type == Type::u32 || id.type == Type::i64; }
  static constexpr Extent kExtents[] = {{"n"}, {"k"}};
  static constexpr std::int64_t executor_size = 1 << 14;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 20, 1 << 24}; }
  static std::vector<std::int64_t> extents_of(std::int64_t n) { return {n, std::min<std::int64_t>(n, 64)}; }

  template <class C, class In, class Keys, class Positions>
  static typename C::Args args_of(const TestShape& shape, In& in, Keys& keys_out, Positions& positions_out) {
    using Key = typename C::Key;
    return {reinterpret_cast<const Key*>(in.data()),
            shape.n,
            shape.k,
            shape.keys ? reinterpret_cast<Key*>(keys_out.data()) : nullptr,
            shape.positions ? positions_out.data() : nullptr,
            C::order(shape.descending)};
  }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Key = typename C::Key;
    TestShape shape;
    Input<T> in;
    Output<T> keys_out;
    Output<std::int64_t> positions_out;

    /// What is right.
    struct Top {
      std::vector<T> keys;
      std::vector<std::int64_t> positions;
    } want;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          in(*this, s.n, inputs.offset, "in"),
          keys_out(*this, s.keys ? s.k : 0, inputs.offset),
          positions_out(*this, s.positions ? s.k : 0) {
      if (inputs.data.empty())
        fill_keys(inputs.seed);
      else
        fill(std::span<T>(in.values), C::id.op, inputs);
      const KeyOrder<Key> order = C::order(s.descending);
      want = top_by([&](Key key) { return order.code(key); });
    }
    typename C::Args args() { return args_of<C>(shape, in, keys_out, positions_out); }
    /// Libraries order NaNs by their bits, as if they were numbers.
    Verdict check(double) {
      Verdict verdict = against(want);
      if (verdict.correct || !TypeTraits<T>::floating || shape.pattern != SortKeys::special) return verdict;
      const KeyOrder<Key> order = C::order(shape.descending);
      verdict.digits_alone = against(top_by([&](Key key) { return code_of_bits(key) ^ order.flip; })).correct;
      return verdict;
    }

   private:
    /// The first k of a stable sort by code.
    template <class Code>
    Top top_by(Code code) const {
      std::vector<Key> codes;
      codes.reserve(in.values.size());
      for (const T key : in.values) codes.push_back(code(std::bit_cast<Key>(key)));
      std::vector<std::int64_t> at(codes.size());
      std::iota(at.begin(), at.end(), std::int64_t{0});
      std::partial_sort(at.begin(), at.begin() + shape.k, at.end(), [&](std::int64_t i, std::int64_t j) {
        const Key x = codes[static_cast<std::size_t>(i)], y = codes[static_cast<std::size_t>(j)];
        return x != y ? x < y : i < j;
      });
      at.resize(static_cast<std::size_t>(shape.k));
      Top top;
      if (shape.keys) {
        for (const std::int64_t i : at) top.keys.push_back(in.values[static_cast<std::size_t>(i)]);
      }
      if (shape.positions) top.positions = at;
      return top;
    }
    Verdict against(const Top& right) {
      Verdict verdict = compare<T>(keys_out.contents(), right.keys, {}, Same::bits);
      verdict.include(compare<std::int64_t>(positions_out.contents(), right.positions));
      return verdict;
    }

    /// Every second one is the same; of the others about k/2 come before it.
    T tied(std::uint64_t bits) const {
      constexpr int kSame = sizeof(T) < 4 ? 64 : 1000, kOthers = sizeof(T) < 4 ? 63 : 256;
      if (bits % 2 == 0) return T(kSame);
      const auto rest = static_cast<int>((bits >> 40) % kOthers);
      const bool before = static_cast<std::int64_t>(
                              (bits >> 1 & 0xFFFFFF) * static_cast<std::uint64_t>(shape.n) >> 24) < shape.k;
      return T(before == shape.descending ? kSame + 1 + rest : rest);
    }
    void fill_keys(std::uint64_t seed) {
      if (shape.pattern != kTie) return fill_sort_keys(in.values, shape.pattern, seed);
      for (std::size_t i = 0; i < in.values.size(); ++i) in.values[i] = tied(random_bits(seed, i));
    }
  };

  /// Rising keys, each as often: the largest come last, the smallest first.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    LargeOperand<T> in, keys_out;
    LargeOperand<std::int64_t> positions_out;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          in(*this, s.n, rising_lines<T>(s.repeats)),
          keys_out(*this, s.keys ? s.k : 0, LargeOperand<T>::kNothing,
                   s.descending ? falling_lines<T>(s.n / s.repeats, s.repeats) : rising_lines<T>(s.repeats)),
          positions_out(*this, s.positions ? s.k : 0, LargeOperand<std::int64_t>::kNothing,
                        s.descending ? places_from_last_line<std::int64_t>(s.n / s.repeats, s.repeats)
                                     : rising_form<std::int64_t>()) {}
    typename C::Args args() { return args_of<C>(shape, in, keys_out, positions_out); }
    Verdict check(double) { return {}; }
  };

  static int results_of(const TestShape& s) { return !s.positions ? 0 : s.keys ? 2 : 1; }
  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string text = kResults[results_of(shape)];
    if (!shape.descending) text += " ascending";
    if (shape.pattern != SortKeys::random) text += fmt::format(" {}", name(shape.pattern));
    return {shape,
            inputs,
            shape.n,
            text,
            fmt::format("{}x{}", shape.n, shape.k),
            shape.pattern == SortKeys::special ? "special" : ""};
  }
  static TestShape shape_of(std::int64_t n, std::int64_t k, bool descending, int results,
                            SortKeys pattern = SortKeys::random) {
    return {{n, k, descending, results != 1, results != 0}, pattern};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kAllFormsUpTo = 2049, kLongest = 40000;
    enum { kCase, kSize, kCount, kResult, kOrder, kPattern, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (!has_large(ids[c])) continue;
        for (const auto& [n, repeats] : huge_keys(ids[c].type == Type::i64)) {
          for (const std::int64_t k : {std::int64_t{100}, std::int64_t{100000}}) {
            for (const bool descending : {false, true}) {
              TestShape shape = shape_of(n, k, descending, 2);
              shape.repeats = repeats;
              plan.trials[c].push_back(trial(shape, {Values::exact, seed}));
              plan.trials[c].back().inputs.closed_form = true;
            }
          }
        }
      }
      return plan;
    }
    std::vector<std::int64_t> sizes = test_sizes(coverage);
    if (coverage != Coverage::full) std::erase_if(sizes, [](std::int64_t n) { return n > kLongest; });
    std::vector<std::string> size_names, count_names, patterns;
    for (const std::int64_t n : sizes) size_names.push_back(std::to_string(n));
    for (const Count& count : kCounts) count_names.push_back(count.name());
    for (int p = 0; p <= static_cast<int>(kTie); ++p) patterns.emplace_back(name(static_cast<SortKeys>(p)));
    plan.axes.add("case", names(ids));
    plan.axes.add("size", size_names);
    plan.axes.add("k", count_names);
    plan.axes.add("results", {std::begin(kResults), std::end(kResults)});
    plan.axes.add("order", {"descending", "ascending"});
    plan.axes.add("pattern", patterns);
    plan.axes.add("offset", offset_names());
    const auto id = [&](int c) { return ids[static_cast<std::size_t>(c)]; };
    const auto size = [&](int s) { return sizes[static_cast<std::size_t>(s)]; };
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
    plan.axes.exclude(kSize, kCount,
                      [&](int s, int k) { return kCounts[k].share == 0 && kCounts[k].number > size(s); });
    // Where the executor takes long: a type of each width, at one alignment.
    const auto is_long = [&](int s) { return size(s) > kAllFormsUpTo; };
    plan.axes.exclude(kCase, kSize, [&](int c, int s) {
      return is_long(s) && id(c).type != Type::f32 &&
             (id(c).type != Type::i64 || size(s) > 2 * kAllFormsUpTo);
    });
    plan.axes.exclude(kSize, kOffset, [&](int s, int o) { return is_long(s) && kOffsets[o] != 8; });
    plan.axes.close();

    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      const std::int64_t n = size(point[kSize]);
      const TestShape shape =
          shape_of(n, std::max<std::int64_t>(0, kCounts[point[kCount]].of(n)), point[kOrder] == 0,
                   point[kResult], static_cast<SortKeys>(point[kPattern]));
      trials.push_back(trial(shape, {Values::exact, seed + trials.size(),
                                     offset_in_elements(id(point[kCase]), point[kOffset])}));
      trials.back().point = point;
    };
    if (coverage == Coverage::brief) {
      for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
        for (int s = 0; s < static_cast<int>(sizes.size()); ++s) add({c, s, -1, -1, -1, -1, -1});
      }
    } else {
      while (const auto open = covering.open()) add(*open);
    }
    return plan;
  }
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    TestShape shape = shape_of(draws.size(1, elements), 1, draws.one_in(2), static_cast<int>(draws.below(3)));
    // The outputs of a large k take more memory than the input.
    shape.k = draws.size(
        1, draws.one_in(4) ? std::max<std::int64_t>(1, shape.n / 4) : std::min<std::int64_t>(shape.n, 4096));
    shape.pattern = static_cast<SortKeys>(draws.one_in(2) ? 0 : draws.below(static_cast<int>(kTie) + 1));
    return trial(shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }
  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    if (extents[1] > extents[0]) {
      throw InvalidArgument(
          fmt::format("top_k: k is {}; it must be at most {}, which n is", extents[1], extents[0]));
    }
    const Inputs inputs{Values::exact, seed, 0};
    return {trial(shape_of(extents[0], extents[1], true, 0), inputs),
            trial(shape_of(extents[0], extents[1], true, 2), inputs)};
  }
  /// Ties at the k-th key are told apart by their last digit, or not at all.
  static std::vector<Trial> usual_and_hard(CaseId id, const Features& f, std::uint64_t seed) {
    if (f[1] > f[0]) return {};
    std::vector<Trial> trials = benchmarks(id, std::vector{f[0], f[1]}, seed);
    for (const int results : {0, 2})
      trials.push_back(trial(shape_of(f[0], f[1], true, results, kTie), {Values::exact, seed, 0}));
    return trials;
  }
  static double memory(CaseId id, const TestShape& shape) {
    const auto bytes = static_cast<double>(size_of(id.type));
    // Steps that sort everything hold keys and positions twice.
    return static_cast<double>(shape.n) * (5 * bytes + 24) + static_cast<double>(shape.k) * 3 * (bytes + 8);
  }
  /// A read of each key, and a write of each result; a comparison for each key at the very least.
  static Work work(CaseId id, const TestShape& shape) {
    const auto n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
    const auto bytes = static_cast<double>(size_of(id.type));
    return {n * bytes + k * (bytes * shape.keys + 8.0 * shape.positions), n};
  }
};

REGISTER_OPERATION(TopKHarness)

}  // namespace
}  // namespace tandem
