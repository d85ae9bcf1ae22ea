// intersect: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <numeric>

#include "lib/harness/intersect_data.h"
#include "lib/harness/operation.h"
#include "lib/ops/intersect/index_memory.h"

namespace tandem {
namespace {

using namespace intersect_data;

struct IntersectHarness {
  using Contract = Intersect;
  using TestShape = intersect_data::TestShape;
  static constexpr Bound bound = Bound::read;
  static constexpr Extent kExtents[] = {{"queries"}, {"lists"}, {"length"}, {"skew", 0}};  // 0: Zipf's law
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {1000, 19899}; }
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    return {std::clamp<std::int64_t>(n / 8, 1, 1000), 5, n, 0};
  }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    TestShape shape;
    Made made;
    PackedIndex packed;
    QueryPlan plan;
    Intersections want;
    Input<T> ids;
    Input<std::uint64_t> starts, packed_starts;
    Input<std::uint32_t> packed_blocks;
    Input<Quad> packed_quads;
    Input<std::uint64_t> words;
    Output<T> out;
    Output<std::uint64_t> sizes;  // offsets, or counts

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          made(make(s)),
          packed(made.index),
          plan(made.index.starts(), made.queries),
          want(reference(made.index, made.queries)),
          ids(*this, std::vector<T>(made.index.data(), made.index.data() + made.index.ids()), inputs.offset),
          starts(*this, {made.index.starts().begin(), made.index.starts().end()}, inputs.offset),
          packed_starts(*this, arrays(packed).lists, inputs.offset),
          packed_blocks(*this, arrays(packed).blocks, inputs.offset),
          packed_quads(*this, arrays(packed).quads),
          words(*this, plan.words(), inputs.offset),
          out(*this, s.count_only ? 0 : plan.host().candidates, inputs.offset),
          sizes(*this, plan.host().queries + !s.count_only, inputs.offset) {
      // An index is made once for many queries.
      ids.sent = starts.sent = packed_starts.sent = packed_blocks.sent = packed_quads.sent = false;
      if (!s.count_only) out.results = static_cast<std::int64_t>(want.ids.size());
    }

    typename C::Args args() {
      typename C::Args a{};
      static_cast<PlanView&>(a) = plan.at(words.data());
      a.ids = ids.data();
      a.starts = starts.data();
      a.lists = made.index.lists();
      a.packed = packed_lists(packed, packed_starts.data(), packed_blocks.data(), packed_quads.data());
      a.host = plan.host();
      a.host_starts = made.index.starts().data();
      a.serial = serial(made.index);
      a.index = &made.index;
      (shape.count_only ? a.counts : a.offsets) = sizes.data();
      if (!shape.count_only) a.out = out.data();
      return a;
    }
    Verdict check(double) { return check_results(); }

   private:
    Verdict check_results() {
      const Contents<std::uint64_t> found = sizes.contents();
      for (std::size_t q = 0; q + 1 < want.offsets.size(); ++q) {
        const std::uint64_t right = want.offsets[q + 1] - want.offsets[q];
        const std::uint64_t got = shape.count_only ? found[q] : found[q + 1] - found[q];
        if (got != right || (!shape.count_only && found[q] != want.offsets[q])) {
          return Verdict::wrong(
              fmt::format("query {} has {} ids{}; {} are right", q, static_cast<std::int64_t>(got),
                          shape.count_only ? "" : fmt::format(" from offset {} on", found[q]), right),
              static_cast<std::int64_t>(q));
        }
      }
      if (shape.count_only) return {};
      if (found[0] != 0) return Verdict::wrong(fmt::format("the first offset is {}", found[0]), 0);
      const Contents<T> got = out.contents();
      const auto [a, b] = std::ranges::mismatch(want.ids, got);
      if (a == want.ids.end()) return {};
      const auto at = a - want.ids.begin();
      const auto query =
          std::upper_bound(want.offsets.begin(), want.offsets.end(), static_cast<std::uint64_t>(at)) -
          want.offsets.begin() - 1;
      return Verdict::wrong(
          fmt::format("id {} of query {} is {}; {} is right",
                      at - static_cast<std::int64_t>(want.offsets[static_cast<std::size_t>(query)]), query,
                      *b, *a),
          at);
    }
  };

  /// Past 2^32 ids and 2^31 candidates, which no host holds a second time: every second number below `length` (in packed
  /// lists every number), every third and every fifth. A query of all three has every 30th (15th), one of the first two every
  /// sixth (third). Gaps of a list are all the same, and so are packed blocks, of which none is shorter.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    static constexpr std::int64_t kBlock = PackedList::kBlock, kWords = 4;  // of a quad
    TestShape shape;
    bool packed;
    std::vector<std::int64_t> every;  // of each list
    std::vector<std::uint64_t> starts{0}, first_blocks{0}, first_quads{0}, right{0};
    QueryPlan plan;
    Array<T> ids, lasts, ends, quads, out;
    std::deque<LargeOperand<T>> pieces;  // of these
    Input<std::uint64_t> placed_starts, placed_blocks, placed_quads, words;
    Output<std::uint64_t> sizes;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          packed(s.form == Intersect::Form::packed),
          every{packed ? 1 : 2, 3, 5},
          plan(all_starts(), queries()),
          ids(ctx, packed ? 0 : size(starts)),
          lasts(ctx, size(first_blocks)),
          ends(ctx, size(first_blocks)),
          quads(ctx, packed ? kWords * (size(first_quads) + 1) : 0),
          out(ctx, s.count_only ? 0 : plan.host().candidates),
          placed_starts(*this, starts),
          placed_blocks(*this, first_blocks),
          placed_quads(*this, first_quads),
          words(*this, plan.words()),
          sizes(*this, plan.host().queries + !s.count_only) {
      for (std::size_t l = 0; l < every.size(); ++l) {
        const std::int64_t step = every[l], count = below(step);
        if (packed) {
          add_input(lasts.data() + first_blocks[l], count / kBlock, rising(kBlock * step));
          add_input(ends.data() + first_blocks[l], count / kBlock, ends_of(width(step)));
          add_input(quads.data() + kWords * first_quads[l], kWords * width(step) * (count / kBlock),
                    gaps(step));
        } else {
          add_input(ids.data() + starts[l], count, rising(step));
        }
      }
      for (const std::int64_t step :
           {std::lcm(std::lcm(every[0], every[1]), every[2]), std::lcm(every[0], every[1])}) {
        const std::int64_t found = below(step);
        if (!s.count_only)
          pieces.emplace_back(*this, out.data() + right.back(), found, LargeOperand<T>::kNothing,
                              rising(step));
        right.push_back(right.back() + static_cast<std::uint64_t>(found));
      }
      sizes.want = right;
      if (s.count_only) sizes.want = {right[1], right[2] - right[1]};
    }
    typename C::Args args() {
      typename C::Args a{};
      static_cast<PlanView&>(a) = plan.at(words.data());
      a.ids = ids.data();
      a.starts = placed_starts.data();
      if (packed) {
        a.packed = {placed_starts.data(), placed_blocks.data(), placed_quads.data(),
                    lasts.data(),         ends.data(),          reinterpret_cast<const Quad*>(quads.data())};
      }
      a.lists = static_cast<std::int64_t>(every.size());
      a.host = plan.host();
      a.host_starts = starts.data();
      a.serial = ~std::uint64_t{0};  // no index has it
      (shape.count_only ? a.counts : a.offsets) = sizes.data();
      if (!shape.count_only) a.out = out.data();
      return a;
    }
    Verdict check(double) { return {}; }

   private:
    static std::int64_t size(const std::vector<std::uint64_t>& firsts) {
      return static_cast<std::int64_t>(firsts.back());
    }
    void add_input(T* memory, std::int64_t size, const ClosedForm<T>& form) {
      pieces.emplace_back(*this, memory, size, &form, form);
    }
    std::int64_t below(std::int64_t step) const { return shape.length / step; }
    const std::vector<std::uint64_t>& all_starts() {
      for (const std::int64_t step : every) {
        starts.push_back(starts.back() + static_cast<std::uint64_t>(below(step)));
        if (!packed) continue;
        const auto blocks = static_cast<std::uint64_t>(below(step) / kBlock);
        first_blocks.push_back(first_blocks.back() + blocks);
        first_quads.push_back(first_quads.back() + blocks * static_cast<std::uint64_t>(width(step)));
      }
      return starts;
    }
    static Queries queries() {
      Queries two;
      two.add(std::vector<std::uint32_t>{0, 1, 2});
      two.add(std::vector<std::uint32_t>{1, 0});
      return two;
    }
    /// step − 1, 2 step − 1, …: what is before the multiples.
    static ClosedForm<T> rising(std::int64_t step) {
      ClosedForm<T> form{{static_cast<T>(step - 1)}};
      form.rise = step;
      return form;
    }
    /// Bits of a packed gap, which is less by one.
    static int width(std::int64_t step) { return std::bit_width(static_cast<std::uint64_t>(step - 1)); }
    static ClosedForm<T> ends_of(int quads) {
      ClosedForm<T> form{{static_cast<T>(quads)}};
      form.rise = quads;
      return form;
    }
    /// The words of a block, which are the same in all streams.
    static ClosedForm<T> gaps(std::int64_t step) {
      ClosedForm<T> form{std::vector<T>(static_cast<std::size_t>(width(step)))};
      for (int bit = 0; bit < 32 * width(step); ++bit)
        form.first[static_cast<std::size_t>(bit / 32)] |= static_cast<T>((step - 1) >> bit % width(step) & 1)
                                                          << bit % 32;
      form.a = 1, form.b = 0, form.ld = kWords;
      return form;
    }
  };

  static Trial trial(const TestShape& s, int offset = 0) {
    const bool zipf = s.pattern == Pattern::zipf;
    return {as_called(s),
            {Values::exact, s.seed, offset},
            s.length,
            fmt::format("{}{}", s.count_only ? "count" : "ids",
                        zipf || s.pattern == Pattern::random ? "" : fmt::format(" {}", name(s.pattern))),
            fmt::format("{}x{}x{}x{}", s.queries, s.lists, s.length, s.skew)};
  }

  /// Both things that can be asked for.
  static std::vector<Trial> both(TestShape s) {
    std::vector<Trial> trials{trial(s)};
    s.count_only = true;
    trials.push_back(trial(s));
    return trials;
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    enum { kAsked, kLists, kLength, kSkew, kPattern, kQueries, kOffset, kAxes };
    constexpr int kPatterns = static_cast<int>(Pattern::odd) + 1;
    Plan plan;
    plan.trials.resize(1);
    std::vector<Trial>& trials = plan.trials[0];
    if (coverage == Coverage::huge) {
      constexpr std::int64_t kMost = std::int64_t{1} << 32, kWhole = 3 * 5 * PackedList::kBlock;
      for (const auto& [form, length] :
           {std::pair{Intersect::Form::plain, kMost}, {Intersect::Form::packed, kMost / kWhole * kWhole}}) {
        for (Trial& t : both({{.queries = 2, .lists = 3, .form = form}, length})) {
          t.inputs.closed_form = true;
          trials.push_back(t);
        }
      }
      return plan;
    }
    // Ids of the shortest list: both sides of warps, blocks and pieces. The longest has `skew` times as many.
    std::vector<std::int64_t> lengths{1,  2,   3,   5,   31,  32,  33,  63,   64,   65,
                                      90, 255, 256, 257, 511, 512, 513, 1023, 1025, 8193};
    if (coverage == Coverage::brief) lengths = {5, 200, 513};
    const std::vector<std::int64_t> lists{1, 2, 3, 4, 6, 9, 20}, skews{1, 2, 3, 4, 10, 100, 1000},
        queries{0, 1, 2, 3, 13, 200};
    const auto value = [](const std::vector<std::int64_t>& of, int i) {
      return of[static_cast<std::size_t>(i)];
    };
    const auto add_axis = [&](const char* axis, const std::vector<std::int64_t>& values) {
      std::vector<std::string> texts;
      for (const std::int64_t v : values) texts.push_back(std::to_string(v));
      plan.axes.add(axis, texts);
    };
    std::vector<std::string> patterns;
    for (int p = 0; p < kPatterns; ++p) patterns.emplace_back(name(static_cast<Pattern>(p)));
    plan.axes.add("asked for", {"ids", "count"});
    add_axis("lists", lists);
    add_axis("length", lengths);
    add_axis("skew", skews);
    plan.axes.add("pattern", patterns);
    add_axis("queries", queries);
    plan.axes.add("offset", offset_names());
    const CaseId id = case_ids<Contract>()[0];
    plan.axes.exclude(kLength, kOffset, [&](int, int o) { return !aligned(id, o); });
    // Zipf's law knows no skew, and draws queries; without two lists nothing is odd. Nothing takes long.
    plan.axes.exclude(kSkew, kPattern,
                      [&](int s, int p) { return p == static_cast<int>(Pattern::zipf) && s > 0; });
    plan.axes.exclude(kPattern, kQueries,
                      [&](int p, int q) { return p == static_cast<int>(Pattern::zipf) && q == 0; });
    plan.axes.exclude(kLists, kPattern,
                      [&](int l, int p) { return p == static_cast<int>(Pattern::odd) && l == 0; });
    plan.axes.exclude(kLength, kSkew,
                      [&](int n, int s) { return value(lengths, n) * value(skews, s) > 33000; });
    plan.axes.exclude(kLength, kQueries,
                      [&](int n, int q) { return value(lengths, n) * value(queries, q) > 9000; });
    plan.axes.exclude(kLists, kSkew, [&](int l, int s) { return value(lists, l) * value(skews, s) > 3000; });
    plan.axes.exclude(kSkew, kQueries,
                      [&](int s, int q) { return value(queries, q) * value(skews, s) > 3000; });
    plan.axes.exclude(kLists, kQueries,
                      [&](int l, int q) { return value(queries, q) * value(lists, l) > 1000; });

    const auto add = [&](const TestShape& shape, int offset, const Point& point = {}) {
      trials.push_back(trial(shape, offset_in_elements(id, offset)));
      trials.back().point = point;
    };
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add_point = [&](const Point& given) {
      const Point p = covering.next(given);
      if (p.empty()) return;
      const auto pattern = static_cast<Pattern>(p[kPattern]);
      add({{.queries = value(queries, p[kQueries]),
            .lists = value(lists, p[kLists]),
            .count_only = p[kAsked] == 1},
           value(lengths, p[kLength]),
           pattern == Pattern::zipf ? 0 : value(skews, p[kSkew]),
           pattern,
           seed + trials.size()},
          p[kOffset], p);
    };
    for (int length = 0; length < static_cast<int>(lengths.size()); ++length) {
      for (int pattern = 0; pattern < kPatterns; ++pattern) add_point({-1, -1, length, -1, pattern, -1, -1});
    }
    if (coverage == Coverage::brief) return plan;
    while (const auto open = covering.open()) add_point(*open);
    const auto more = [&](std::int64_t q, std::int64_t l, std::int64_t length, std::int64_t skew,
                          Pattern pattern) {
      const std::uint64_t turn = seed + trials.size();
      add({{.queries = q, .lists = l, .count_only = turn % 3 == 2}, length, skew, pattern, turn},
          static_cast<int>(4 * (turn % 4)));
    };
    more(1, 2, 3, 10000, Pattern::random), more(1, 2, 1, 100000, Pattern::random);
    more(2, 2, 300, 100, Pattern::shifted);  // a long list that begins, or ends, inside a short one's range
    more(2, 9, 1025, 1, Pattern::dense);     // each of many lists takes something away
    for (const Pattern pattern : {Pattern::dense, Pattern::zipf}) {  // more than one thread takes on the CPU
      for (int i = 0; i < 3; ++i) more(1, 2, 33000, pattern != Pattern::zipf, pattern);
    }
    // More queries than 16 bits count with a sign, and twice as many terms.
    add({{.queries = 32'800, .lists = 2}, 1, 1, Pattern::random, seed}, 0);
    if (coverage == Coverage::full) {
      for (int p = static_cast<int>(Pattern::random); p < static_cast<int>(Pattern::odd); ++p) {
        const auto pattern = static_cast<Pattern>(p);
        for (const std::int64_t n : {2047, 2048, 2049, 4097, 16383, 40000, 100003}) {
          more(3, 2, n, 1, pattern), more(2, 5, n, 3, pattern), more(20, 3, n / 20, 9, pattern);
        }
        more(3, 2, 1, 1000000, pattern), more(1, 4, 1000, 1000, pattern), more(1, 2, 3'000'000, 1, pattern);
      }
      for (int i = 0; i < 3; ++i) more(1000, 5, 2000, 0, Pattern::zipf);
      more(5000, 4, 60, 7, Pattern::random), more(70000, 2, 3, 3, Pattern::random);
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    constexpr std::int64_t kMostLists = std::int64_t{1} << 32, kMostIds = kMostLists / 3;
    if (const std::int64_t lists = extents[0] * extents[1]; lists >= kMostLists)
      throw InvalidArgument(fmt::format("intersect: {} lists; their numbers are of 32 bits", lists));
    if (const std::int64_t ids = extents[2] * std::max<std::int64_t>(1, extents[3]); ids > kMostIds) {
      throw InvalidArgument(fmt::format(
          "intersect: a list of {} ids; ids are of 32 bits, and lie in three times their number", ids));
    }
    return both({{.queries = extents[0], .lists = extents[1]},
                 extents[2],
                 extents[3],
                 extents[3] == 0 ? Pattern::zipf : Pattern::random,
                 seed});
  }

  /// Three lists, of which the longest is as much longer than the average as the shortest is shorter.
  static std::vector<std::int64_t> extents_with(const Features& f) {
    if (f[2] > f[0]) return {};
    return {f[1], 3, f[0] / f[2], 2 * f[2] - 1};
  }

  /// Lists alike in every second trial, else up to 1,000 times as long as the shortest; scattered, dense, or of
  /// a collection of documents; plain or packed.
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    constexpr Pattern kPatterns[] = {Pattern::random, Pattern::random, Pattern::random, Pattern::dense,
                                     Pattern::zipf};
    constexpr std::int64_t kMostQueries = 10000;
    TestShape s;
    s.pattern = kPatterns[draws.below(std::size(kPatterns))];
    s.skew = s.pattern == Pattern::zipf ? 0 : draws.one_in(2) ? 1 : draws.size(1, 1000);
    s.lists = draws.size(2, 8);
    const std::int64_t of_query = s.lists * (1 + s.skew) / 2;  // ids, for each of the shortest list
    s.length = draws.size(1, elements / std::max<std::int64_t>(1, of_query));
    s.queries =
        draws.size(1, std::min(kMostQueries, elements / s.length / std::max<std::int64_t>(1, of_query)));
    s.count_only = draws.one_in(2);
    s.form = draws.one_in(2) ? Intersect::Form::plain : Intersect::Form::packed;
    s.seed = draws.bits();
    Trial drawn = trial(s, draw_offset(id, draws));
    drawn.variant += s.form == Intersect::Form::plain ? " plain" : " packed";
    return drawn;
  }

  /// Ids as they are made, in an index, in a packed one and in the operands, and what is kept of each list.
  static double memory(CaseId, const TestShape& s) {
    const bool zipf = s.pattern == Pattern::zipf;
    const double lists = static_cast<double>(s.queries) * static_cast<double>(zipf ? 2 : s.lists);
    const double average = static_cast<double>(s.length) * (zipf ? 1 : (1 + static_cast<double>(s.skew)) / 2);
    return lists * (32 * average + 100);
  }

  static Work work(CaseId id, const TestShape& s) {
    // The shortest list comes in whole; of the others no more than a sector for each of its ids.
    constexpr double kSector = 32;
    Work work{0, 0};
    const auto add = [&](std::vector<std::uint64_t>& lengths) {
      if (lengths.empty()) return;
      std::sort(lengths.begin(), lengths.end());
      const auto bytes = [&](std::uint64_t n) { return static_cast<double>(n * size_of(id.type)); };
      work.bytes += bytes(lengths[0]);
      for (std::size_t t = 1; t < lengths.size(); ++t)
        work.bytes += std::min(bytes(lengths[t]), kSector * static_cast<double>(lengths[0]));
      for (const std::uint64_t n : lengths) work.operations += static_cast<double>(n);
    };
    std::vector<std::uint64_t> lengths;
    if (s.pattern == Pattern::zipf) {
      const Collection like = collection(s);
      const std::vector<std::uint64_t> all = like.lengths();
      const Queries queries = like.random_queries();
      for (std::int64_t q = 0; q < queries.size(); ++q) {
        lengths.clear();
        for (const std::uint32_t l : queries[q]) lengths.push_back(all[l]);
        add(lengths);
      }
      return work;
    }
    for (std::int64_t t = 0; t < s.lists; ++t) lengths.push_back(static_cast<std::uint64_t>(length(s, t)));
    add(lengths);
    return {work.bytes * static_cast<double>(s.queries), work.operations * static_cast<double>(s.queries)};
  }
};

REGISTER_OPERATION(IntersectHarness)

}  // namespace
}  // namespace tandem
