// histogram by its public functions: right calls of every type, kind and container; odd but legal ones; and bad ones,
// each of which throws the right exception, names argument and value, and leaves the counts untouched.

#include <array>
#include <cmath>
#include <limits>

#include "lib/ops/histogram/contract.h"
#include "tandem/tandem.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

using Counts = std::vector<std::int64_t>;

/// The counts of even bins, by the automatic choice.
template <class T>
Counts even(const std::vector<T>& x, bin_edge_t<T> lower, bin_edge_t<T> upper, std::size_t bins) {
  Context ctx = Context::host();
  Counts counts(bins, -7);
  histogram(ctx, x, lower, upper, counts);
  return counts;
}
template <class T>
Counts between(const std::vector<T>& x, const std::vector<bin_edge_t<T>>& edges) {
  Context ctx = Context::host();
  const BinEdges<T> bins(ctx, edges);
  Counts counts(edges.size() - 1, -7);
  histogram(ctx, x, bins, counts);
  return counts;
}

/// Whether every number from `first` to `last` is in the bin that the definition says.
template <class T>
void check_integers(std::int64_t lower, std::int64_t upper, std::int64_t bins, std::int64_t first,
                    std::int64_t last) {
  const EvenBins<T> even(lower, upper, bins);
  std::int64_t wrong = 0;
  for (std::int64_t x = first; x <= last; ++x) {
    const bool inside = lower <= x && x < upper;
    const std::int64_t bin = inside ? (x - lower) * bins / (upper - lower) : bins;
    wrong += even(static_cast<T>(x)) != bin;
  }
  CHECK_MESSAGE(wrong == 0, "of [", lower, ", ", upper, ") in ", bins, " bins");
}

}  // namespace

TEST_SUITE_BEGIN("histogram");

TEST_CASE_TEMPLATE("all paths, kinds and containers", T, float, double, std::int32_t, std::uint32_t,
                   std::uint8_t) {
  Context ctx = Context::host();
  std::vector<T> x(9000);
  Counts wanted(5);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<T>(random_bits(3, i) % 14);
    if (x[i] >= T(2) && x[i] < T(12)) ++wanted[static_cast<std::size_t>((x[i] - T(2)) / T(2))];
  }
  const BinEdges<T> edges(ctx, std::vector<bin_edge_t<T>>{2, 4, 6, 8, 10, 12});
  CHECK(edges.bins() == 5);
  int calls = 0;
  for (const Implementation* i : host_rows("histogram")) {
    CAPTURE(i->name);
    Counts counts(5, -7);
    histogram(ctx, x, 2, 12, counts, {i->name});
    CHECK(counts == wanted);
    CHECK(ctx.last().implementation == i->name);
    const Array<T> there(ctx, x);
    Array<std::int64_t> array(ctx, Counts(5, -7));
    histogram(ctx, there, edges, array, {i->name});
    CHECK(array.to_vector() == wanted);
    ++calls;
  }
  CHECK(calls >= 3);
}

TEST_CASE("integers are in the bin that exact arithmetic says, over any range") {
  for (const std::int64_t bins : {1, 2, 3, 7, 255, 256, 257, 1000, 65535, 65536}) {
    check_integers<std::uint8_t>(0, 256, bins, 0, 255);
    check_integers<std::uint8_t>(7, 251, bins, 0, 255);
    check_integers<std::uint8_t>(255, 256, bins, 0, 255);
    constexpr std::int64_t kLow = INT32_MIN, kHigh = INT32_MAX, kTop = UINT32_MAX;
    for (const std::int64_t lower : {kLow, kLow + 1, std::int64_t{-70000}, std::int64_t{0}}) {
      for (const std::int64_t upper : {std::int64_t{1}, std::int64_t{65537}, kHigh, kHigh + 1}) {
        // Both sides of the range, and of bins all over it.
        const std::int64_t step = (upper - lower) / bins;
        for (const std::int64_t bin : {std::int64_t{0}, bins / 3, bins / 2, bins - 1, bins}) {
          const std::int64_t edge = lower + bin * (upper - lower) / bins;
          check_integers<std::int32_t>(lower, upper, bins, std::max(kLow, edge - 9),
                                       std::min(kHigh, edge + 9));
          check_integers<std::int32_t>(lower, upper, bins, std::max(kLow, edge + step - 3),
                                       std::min(kHigh, edge + step + 3));
        }
      }
    }
    check_integers<std::uint32_t>(0, kTop + 1, bins, kTop - 20, kTop);
    check_integers<std::uint32_t>(0, kTop + 1, bins, 0, 20);
    check_integers<std::uint32_t>(kTop, kTop + 1, bins, kTop - 20, kTop);
  }
  CHECK(even<std::int32_t>({INT32_MIN, -1, 0, INT32_MAX}, INT32_MIN, std::int64_t{INT32_MAX} + 1, 2) ==
        Counts{2, 2});
}

TEST_CASE_TEMPLATE("floating point is counted by the formula of the documentation", T, float, double) {
  for (const auto& [lower, upper] :
       {std::pair{T(0), T(1)}, {T(-3.7), T(12.9)}, {T(1), std::nextafter(T(1), T(9))}}) {
    for (const std::int64_t bins : {1, 3, 10, 49, 256, 65536}) {
      const T scale = static_cast<T>(bins) / (upper - lower);
      std::vector<T> x;
      Counts wanted(static_cast<std::size_t>(bins));
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const T from = lower + (upper - lower) * (static_cast<T>(i) / 2000);
        for (const T near : {from, std::nextafter(from, lower), std::nextafter(from, upper)}) {
          x.push_back(near);
          if (!(lower <= near && near < upper)) continue;
          const T distance = near - lower, at = distance * scale;
          ++wanted[static_cast<std::size_t>(std::min(static_cast<std::int64_t>(at), bins - 1))];
        }
      }
      CHECK(even<T>(x, lower, upper, static_cast<std::size_t>(bins)) == wanted);
    }
  }
  // Below upper, but rounds up to bin 49 of [0, 49·u): it is in the last one.
  bool found = false;
  for (int i = 1; i < 2000 && !found; ++i) {
    const EvenBins<T> bins(T(0), T(i) / 7, 49);
    if (!rounds_up(bins)) continue;
    found = true;
    CHECK(bins(std::nextafter(bins.upper, T(0))) == 48);
    CHECK(bins(bins.upper) == 49);
  }
  CHECK(found);
}

TEST_CASE("elements outside and NaN are in no bin") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const std::vector<float> x{-inf, -1, -0.0f, 0, 0.5f, 0.99999994f, 1, 2, inf, nan, -nan};
  CHECK(even<float>(x, 0, 1, 2) == Counts{2, 2});
  CHECK(between<float>(x, {0, 0.5f, 1}) == Counts{2, 2});
  CHECK(between<float>(x, {-inf, 0, inf}) == Counts{2, 6});
  CHECK(even<std::uint8_t>({0, 9, 10, 19, 20, 255}, 10, 20, 2) == Counts{1, 1});
  CHECK(between<std::int32_t>({INT32_MIN, -5, 4, INT32_MAX}, {INT64_MIN, -5, 5, INT64_MAX}) ==
        Counts{1, 2, 1});
}

TEST_CASE("a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const Array<float> x(ctx, small_numbers<float>(200000));
  const BinEdges<float> edges(ctx, std::vector<float>{-3, 0, 4});
  Array<std::int64_t> two(ctx, 2), many(ctx, kMostBins);
  const auto all = [&] {
    histogram(ctx, x, -3, 4, many);
    histogram(ctx, x, edges, two);
  };
  all();
  const std::size_t before = ctx.allocations();
  all(), all();
  CHECK(ctx.allocations() == before);
}

TEST_CASE("few elements in many bins suit no path that adds up tables") {
  const Histogram::Shape few{1000, 65536}, many{1 << 20, 256};
  for (const char* name : {"histogram/custom/threads", "histogram/custom/interleaved"}) {
    CHECK_FALSE(matching(name).at(0)->suited(&few));
    CHECK(matching(name).at(0)->suited(&many));
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  // Nothing at all: the counts are 0, and null pointers are fine.
  Counts counts{-7, -7, -7};
  histogram(ctx, View<const float>{nullptr, 0}, 0, 1, counts);
  count(counts == Counts(3));
  counts.assign(3, -7);
  const BinEdges<std::uint8_t> edges(ctx, std::array<std::int64_t, 4>{-5, 0, 256, 1000});
  histogram(ctx, View<const std::uint8_t>{nullptr, 0}, edges, counts);
  count(counts == Counts(3));
  // More bins than numbers; one bin; as many as there may be.
  const std::array<std::uint8_t, 4> bytes{0, 1, 255, 255};
  count(even<std::uint8_t>({bytes.begin(), bytes.end()}, 0, 256, 512)[510] == 2);
  std::array<std::int64_t, 1> all{};
  histogram(ctx, bytes, 0, 256, all);
  count(all[0] == 4);
  count(even<std::uint8_t>({bytes.begin(), bytes.end()}, 0, 256, kMostBins)[65280] == 2);
  // Edges that no element reaches, and what outlives the context that it was made for.
  histogram(ctx, bytes, edges, counts);
  count(counts == Counts{0, 4, 0});
  Context other = Context::host();
  histogram(other, bytes, edges, counts);
  count(counts == Counts{0, 4, 0});
  // Pointers that are aligned to an element and no more; counts that touch the elements but do not overlap.
  std::vector<std::int64_t> memory(64);
  auto* const words = reinterpret_cast<std::uint8_t*>(memory.data());
  for (const int offset : {1, 2, 3, 5, 7}) {
    std::fill_n(words, 256, std::uint8_t(9));
    histogram(ctx, View<const std::uint8_t>{words + offset, 256 - offset}, 9, 10,
              View<std::int64_t>{memory.data() + 32, 1});
    count(memory[32] == 256 - offset);
  }
  CHECK(count.count == 12);
}

TEST_CASE("bad calls") {
  int bad_calls = 0;
  const auto of_type = [&]<class T>(T) {
    BadCalls<T> bad(
        "histogram",
        [](Context& ctx, View<const T> in, View<T>, const Options& options) {
          std::int64_t counts[4];
          histogram(ctx, in, 0, 4, View<std::int64_t>{counts, 4}, options);
        },
        false, bad_calls);
    bad.expect_common(false);
  };
  of_type(float()), of_type(double()), of_type(std::int32_t()), of_type(std::uint32_t());
  MESSAGE(bad_calls, " bad calls of four types");
  CHECK(bad_calls >= 50);

  Context ctx = Context::host();
  Counts counts(8, -7);
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(counts, call, {part});
  };
  const std::vector<float> x{1, 2, 3, 4};
  const std::vector<std::int32_t> numbers{1, 2, 3, 4};
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4};
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  constexpr float kMost = std::numeric_limits<float>::max();
  const View<std::int64_t> none{counts.data(), 0}, null{nullptr, 4};
  bad([&] { histogram(ctx, x, 0, 1, none); },
      "histogram: size of 'counts' is 0, a count for each bin; it must be from 1 to 65536");
  bad([&] { histogram(ctx, x, 0, 1, View<std::int64_t>{counts.data(), -1}); }, "size of 'counts' is -1");
  bad(
      [&] {
        histogram(ctx, x, 0, 1, View<std::int64_t>{counts.data(), 65537});
      },
      "histogram: size of 'counts' is 65537");
  bad([&] { histogram(ctx, x, 0, 1, null); }, "histogram: 'counts' is null, but its size is 4");
  bad([&] { histogram(ctx, x, 1, 1, counts); }, "histogram: 'lower' is 1; it must be below 'upper', 1");
  bad([&] { histogram(ctx, numbers, 5, 4, counts); }, "histogram: 'lower' is 5; it must be below 'upper', 4");
  bad([&] { histogram(ctx, x, nan, 1, counts); }, "histogram: 'lower' is nan; it must be finite");
  bad([&] { histogram(ctx, x, 0, nan, counts); }, "histogram: 'upper' is nan; it must be finite");
  bad([&] { histogram(ctx, x, -inf, 1, counts); }, "histogram: 'lower' is -inf; it must be finite");
  bad([&] { histogram(ctx, x, 0, inf, counts); }, "histogram: 'upper' is inf; it must be finite");
  bad([&] { histogram(ctx, x, -kMost, kMost, counts); }, "is more than f32 holds");
  bad([&] { histogram(ctx, x, 0, std::numeric_limits<float>::denorm_min(), counts); },
      "is too little for 8 bins");
  bad([&] { histogram(ctx, bytes, -1, 256, counts); },
      "histogram: 'lower' is -1; for u8 it must be from 0 to 256");
  bad([&] { histogram(ctx, bytes, 0, 257, counts); },
      "histogram: 'upper' is 257; for u8 it must be from 0 to 256");
  bad([&] { histogram(ctx, numbers, 0, std::int64_t{1} << 32, counts); },
      "histogram: 'upper' is 4294967296; for i32 it must be from -2147483648 to 2147483648");
  bad(
      [&] {
        const View<const std::uint8_t> within{reinterpret_cast<std::uint8_t*>(counts.data()) + 3, 9};
        histogram(ctx, within, 0, 256, counts);
      },
      "histogram: 'counts' overlaps 'in'");
  const auto bad_edges = [&](const std::vector<float>& edges, const std::string& part) {
    bad([&] { histogram(ctx, x, BinEdges<float>(ctx, edges), counts); }, part);
  };
  bad_edges({}, "histogram: size of 'edges' is 0; it must be from 2 to 65537, one more than there are bins");
  bad_edges({1}, "histogram: size of 'edges' is 1");
  bad_edges(std::vector<float>(65538), "histogram: size of 'edges' is 65538");
  bad_edges({1, 2, 2, 3}, "histogram: edge 2 is 2; it must be above 2");
  bad_edges({1, 3, 2}, "histogram: edge 2 is 2; it must be above 3");
  bad_edges({0.0f, -0.0f}, "histogram: edge 1 is -0; it must be above 0");
  bad_edges({nan, 1}, "histogram: edge 0 is nan; it must be a number");
  bad_edges({1, nan}, "histogram: edge 1 is nan; it must be a number");
  bad_edges({1, 2}, "histogram: size of 'counts' is 8; it must be 1, the number of bins");
  // Paths that cannot take a call say so.
  const auto thrown_by = [&](const char* use) {
    Counts many(65536);
    return thrown<Unavailable>([&] { histogram(ctx, x, 0, 1, many, {use}); });
  };
  if (!matching("histogram/custom/packs@simt").empty()) {
    CHECK(contains(thrown_by("packs@simt"),
                   "65536 bins take 262144 bytes of shared memory; a block has 232448"));
  }
}

TEST_SUITE_END();

}  // namespace tandem
