// intersect: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>

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
          sizes(*this, plan.host().queries + !s.count_only, inputs.offset) {}

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
      (shape.count_only ? a.counts : a.offsets) = sizes.data();
      if (!shape.count_only) a.out = out.data();
      return a;
    }
    Verdict check(double) { return check_results(); }

   private:
    Verdict check_results() {
      const std::vector<std::uint64_t> found = sizes.download();
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
      const std::vector<T> got = out.download();
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

  static Trial trial(const TestShape& s, int offset = 0) {
    const bool zipf = s.pattern == Pattern::zipf;
    return {s,
            {Values::exact, s.seed, offset},
            s.scale(),
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

  static std::vector<Trial> tests(CaseId, Coverage coverage, std::uint64_t seed) {
    constexpr Pattern kPatterns[] = {Pattern::random, Pattern::dense,       Pattern::equal, Pattern::disjoint,
                                     Pattern::nested, Pattern::alternating, Pattern::high};
    std::vector<Trial> trials;
    if (coverage == Coverage::huge) return trials;
    std::uint64_t turn = random_bits(seed, 0) % 1000;
    const auto add = [&](std::int64_t queries, std::int64_t lists, std::int64_t length, std::int64_t skew,
                         Pattern pattern) {
      TestShape s{{queries, lists, length, turn % 3 == 2}, skew, pattern, seed + turn};
      trials.push_back(trial(s, kOffsets[turn % 5]));
      ++turn;
    };
    const auto next = [&] { return kPatterns[turn % std::size(kPatterns)]; };
    add(0, 2, 5, 1, Pattern::random);
    add(12, 3, 40, 2, Pattern::odd);
    add(13, 2, 300, 1, Pattern::odd);
    add(20, 5, 33, 0, Pattern::zipf);
    add(9, 5, 300, 0, Pattern::zipf);
    if (coverage == Coverage::brief) {
      for (const Pattern pattern : kPatterns) add(3, 3, 200, 2, pattern);
      add(2, 2, 513, 3, Pattern::random), add(1, 2, 5, 1000, Pattern::random);
      return trials;
    }
    // Every pattern, few and many queries of 1 to 6 lists.
    for (const Pattern pattern : kPatterns) {
      for (const std::int64_t lists : {1, 2, 3, 6})
        add(1 + static_cast<std::int64_t>(turn % 5), lists, 90, 2, pattern);
    }
    // Both sides of warps, blocks and pieces, on the short side.
    for (const std::int64_t n : {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1025}) {
      add(2, 2, n, 1, next());
      add(1, 3, n, 4, next());
    }
    // Long pieces.
    add(1, 2, 8193, 1, next());
    // Skew.
    for (const std::int64_t skew : {10, 100, 1000, 10000})
      add(1, 2, 3, skew, Pattern::random), add(2, 3, 5, skew, next());
    add(1, 2, 1, 100000, Pattern::random);
    add(200, 2, 3, 3, Pattern::random);
    if (coverage == Coverage::full) {
      for (const Pattern pattern : kPatterns) {
        for (const std::int64_t n : {2047, 2048, 2049, 4097, 16383, 40000, 100003}) {
          add(3, 2, n, 1, pattern), add(2, 5, n, 3, pattern), add(20, 3, n / 20, 9, pattern);
        }
        add(3, 2, 1, 1000000, pattern), add(1, 4, 1000, 1000, pattern), add(1, 2, 3'000'000, 1, pattern);
      }
      add(1000, 5, 2000, 0, Pattern::zipf), add(1000, 5, 2000, 0, Pattern::zipf),
          add(1000, 5, 2000, 0, Pattern::zipf);
      add(5000, 4, 60, 7, Pattern::random), add(70000, 2, 3, 3, Pattern::random);
    }
    return trials;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    constexpr std::int64_t kMostLists = std::int64_t{1} << 32, kMostIds = kMostLists / 3;
    if (const std::int64_t lists = extents[0] * extents[1]; lists >= kMostLists)
      throw InvalidArgument(fmt::format("intersect: {} lists; their numbers are of 32 bits", lists));
    if (const std::int64_t ids = extents[2] * std::max<std::int64_t>(1, extents[3]); ids > kMostIds) {
      throw InvalidArgument(fmt::format(
          "intersect: a list of {} ids; ids are of 32 bits, and lie in three times their number", ids));
    }
    return both({{extents[0], extents[1], extents[2]},
                 extents[3],
                 extents[3] == 0 ? Pattern::zipf : Pattern::random,
                 seed});
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
