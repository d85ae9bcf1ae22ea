// reduce, scan, segmented_reduce, select, sort and histogram on the host with functors of the user's own.

#include "tests/own_operators.h"

#include <complex>
#include <functional>
#include <memory>
#include <utility>

#include "tests/own_predicates.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("own_operators");

TEST_CASE("pairs, matrices, complex numbers and captured values, against a serial loop") {
  Context ctx = Context::host();
  for (const std::size_t n : {1u, 2u, 3u, 5u, 100u, 16384u, 16385u, 16387u, 100003u})
    check_all_own(ctx, n, 0);
  check_all_own(ctx, 0, 0);
  for (const std::size_t n : {1u, 2u, 20000u}) check_moments(ctx, n);
  CHECK(ctx.last().implementation == "scan/custom/both_ends");
}

TEST_CASE("lambdas, functors of the standard library, functions") {
  Context ctx = Context::host();
  const std::vector<float> x = floats(50000);
  double sum = 0;
  for (const float v : x) sum += v;
  CHECK(reduce(ctx, x, std::plus<>{}, 0.0) == sum);  // accumulated in double; whole numbers
  static_assert(std::is_same_v<decltype(reduce(ctx, x, std::plus<>{}, 0.0)), double>);
  const float offset = 2;
  CHECK(reduce(ctx, x, [offset](float a, float b) { return a + b + offset - 2; }) == static_cast<float>(sum));
  CHECK(reduce(
            ctx, x, +[](float a, float b) { return a < b ? b : a; }) == 5972);
  CHECK(reduce(ctx, std::vector<int>{6, 3, 5}, std::bit_xor<>{}) == 0);
  CHECK(reduce(ctx, std::vector<int>{}, std::multiplies<int>{}) == 1);
  CHECK(reduce(ctx, std::vector<int>{}, std::bit_and<>{}) == -1);
  CHECK(reduce(ctx, std::vector<int>{2, 3}, with_lift(plus, [](int v) { return std::int64_t{v} << 40; })) ==
        std::int64_t{5} << 40);
  const auto evens = with_lift(std::plus<>{}, [](int v, std::int64_t i) { return i % 2 == 0 ? v : 0; });
  CHECK(reduce(ctx, std::vector<int>{1, 2, 3, 4, 5}, evens) == 9);

  using Z = std::complex<float>;
  const std::vector<Z> z{{1, 2}, {3, -1}, {0, 1}};
  std::vector<Z> products(3);
  inclusive_scan(ctx, z, products, std::multiplies<>{});
  CHECK(products == std::vector<Z>{{1, 2}, {5, 5}, {-5, 5}});
  const std::vector<std::pair<int, int>> pairs{{1, 2}, {3, 0}};  // whose assignment is not trivial
  CHECK(reduce(ctx, pairs, [](auto a, auto b) { return a > b ? a : b; }) == std::pair{3, 0});
}

TEST_CASE("sums that round have the same bits again, with any number of threads") {
  Context ctx = Context::host();
  std::vector<float> x(300000), first(x.size()), again(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(i + 1);
  // The chunks of a part, each by itself: what a single thread would do.
  const float sum = reduce(ctx, x, std::plus<>{});
  inclusive_scan(ctx, x, first, std::plus<>{});
  for (int run = 0; run < 200; ++run) {
    CHECK(reduce(ctx, x, std::plus<>{}) == sum);
    inclusive_scan(ctx, x, again, std::plus<>{});
    CHECK(std::memcmp(first.data(), again.data(), x.size() * sizeof(float)) == 0);
  }
  const std::size_t allocations = ctx.allocations();
  inclusive_scan(ctx, x, again, std::plus<>{});
  reduce(ctx, x, std::plus<>{});
  CHECK(ctx.allocations() == allocations);
}

TEST_CASE("predicates: captured values, small structs, types that only a program knows") {
  Context ctx = Context::host();
  for (const std::size_t n : {0u, 1u, 63u, 64u, 65u, 1000u, 16384u, 16385u, 100003u})
    check_own_selections(ctx, n, 0);
  check_own_selections(ctx, 70001, 1);
  CHECK(ctx.last().implementation == "select/custom/threads");
  const std::vector<std::string> words{"scan", "sort", "sum", "select", "gemm"};
  std::vector<std::string> found(words.size());
  CHECK(select(
            ctx, words, [](const std::string& w) { return w.starts_with('s'); }, found) == 4);
  CHECK(found == std::vector<std::string>{"scan", "sort", "sum", "select", ""});
  const std::vector<int> x{1, 2, 4, 7, 9, 8};
  std::vector<int> y(x.size());
  CHECK(unique(ctx, x, y, [](int a, int b) { return a % 2 == b % 2; }) == 4);
  CHECK(std::vector<int>(y.begin(), y.begin() + 4) == std::vector<int>{1, 2, 7, 8});
  const std::size_t allocations = ctx.allocations();
  CHECK(unique(ctx, x, y, [](int a, int b) { return a % 2 == b % 2; }) == 4);
  CHECK(ctx.allocations() == allocations);
}

TEST_CASE("segments of many lengths, short and long, by offsets, by keys and along an axis") {
  Context ctx = Context::host();
  for (const std::size_t n : {0u, 1u, 2u, 100u, 16385u, 300'001u}) check_all_own_segments(ctx, n);
  CHECK(ctx.last().implementation == "segmented_reduce/custom/threads");
  check_own_unchecked(ctx, 200'003);
  // Empty segments take no time, however many there are, and an empty matrix may lie nowhere.
  std::vector<float> nothing;
  segmented_inclusive_scan(ctx, nothing, Segments::equal(std::int64_t{1} << 60, 0), nothing, std::plus<>{});
  std::vector<float> of_empty(3);
  reduce_axis(ctx, MatrixView<const float>{nullptr, 3, 0, 4, Layout::row_major}, 1, of_empty, std::plus<>{},
              2.0f);
  CHECK(of_empty == std::vector<float>{2, 2, 2});
  const std::vector<float> x{3, 1, 4, 1, 5};
  std::vector<float> sums(3);
  const Segments segments(ctx, std::vector<std::int64_t>{0, 2, 2, 5});
  segmented_reduce(ctx, x, segments, sums, std::plus<>{});
  CHECK(sums == std::vector<float>{4, 0, 10});
  segmented_reduce(
      ctx, x, segments, sums, [](float a, float b) { return a < b ? b : a; }, 2.0f);
  CHECK(sums == std::vector<float>{3, 2, 5});
}

TEST_CASE("sort by comparisons and by what a functor makes of elements") {
  Context ctx = Context::host();
  for (const std::size_t n : {0u, 1u, 2u, 15u, 16u, 17u, 1000u, 16384u, 16385u, 40'000u, 100'003u})
    check_own_sorts(ctx, n);
  CHECK(ctx.last().implementation == "top_k/custom/threads");
  std::vector<Step> x{{3, 0}, {1, 1}, {2, 2}, {1, 3}};
  sort(ctx, x, by(&Step::a));
  CHECK((x[0].b == 1 && x[1].b == 3 && x[2].b == 2 && x[3].b == 0));
  // The first ones behind many that are in the opposite order: each is a candidate.
  std::vector<int> falling(100'000), least(3);
  for (std::size_t i = 0; i < falling.size(); ++i) falling[i] = -static_cast<int>(i);
  top_k(ctx, falling, least, std::less<>{});
  CHECK(least == std::vector<int>{-99'999, -99'998, -99'997});
  // A function, a comparison that holds what it looks at, and one that cannot be copied.
  std::vector<std::int64_t> places{0, 1, 2};
  const std::vector<float> looked_at{2, 9, 5};
  struct ByValue {
    const float* data;
    bool operator()(std::int64_t a, std::int64_t b) const { return data[a] < data[b]; }
  };
  sort(ctx, places, ByValue{looked_at.data()});
  CHECK(places == std::vector<std::int64_t>{0, 2, 1});
  std::vector<int> digits{3, 1, 2}, first(1);
  sort_by_key(
      ctx, digits, places, +[](int a, int b) { return a < b; });
  CHECK((places == std::vector<std::int64_t>{2, 1, 0}));
  const auto alone = [owned = std::make_unique<int>(3)](int a, int b) {
    return (a == *owned) > (b == *owned);
  };
  sort_by_key(ctx, digits, places, alone);
  CHECK((digits == std::vector<int>{3, 1, 2}));
  top_k(ctx, digits, first, std::cref(alone));
  CHECK(first[0] == 3);
  std::vector<float> y{1, 3, 2};
  sort(ctx, y, std::greater<>{});
  CHECK(y == std::vector<float>{3, 2, 1});
  sort(ctx, y, by([](float v) { return v == 2 ? 9 : v; }));
  CHECK(y == std::vector<float>{1, 3, 2});
  // An order that contradicts itself harms nobody.
  std::vector<int> odd(50'000);
  for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = static_cast<int>(i * 7919 % 101);
  std::vector<int> sorted = odd;
  sort(ctx, odd, [](int, int) { return true; });
  std::sort(odd.begin(), odd.end());
  std::sort(sorted.begin(), sorted.end());
  CHECK(odd == sorted);
}

TEST_CASE("bins that a functor gives") {
  Context ctx = Context::host();
  for (const std::size_t n : {3u, 500u, 300'001u}) check_own_histograms(ctx, n, 1);
  CHECK(ctx.last().implementation == "histogram/custom/threads");
  std::vector<std::int64_t> counts(3, -7);
  histogram(
      ctx, std::vector<std::string>{"a", "bb", "cc", "dddd"}, [](const std::string& s) { return s.size(); },
      counts);
  CHECK(counts == std::vector<std::int64_t>{0, 1, 2});
  CHECK(thrown<std::runtime_error>([&] {
          histogram(
              ctx, std::vector<int>{1, 2}, [](int x) { return x == 2 ? throw std::runtime_error("two") : x; },
              counts);
        }) == "two");
  CHECK(counts == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("what an operator throws passes through") {
  Context ctx = Context::host();
  const std::vector<int> x(100000, 1);
  std::vector<int> y(x.size());
  const auto fail = [](int a, int b) {
    if (a + b == 4000) throw std::runtime_error("four thousand");
    return a + b;
  };
  CHECK(thrown<std::runtime_error>([&] { reduce(ctx, x, fail); }) == "four thousand");
  CHECK(thrown<std::runtime_error>([&] { inclusive_scan(ctx, x, y, fail); }) == "four thousand");
  const auto asked = [](int a) { return a == 1 ? throw std::runtime_error("one") : true; };
  CHECK(thrown<std::runtime_error>([&] { select(ctx, x, asked, y); }) == "one");
  CHECK(reduce(ctx, x, std::plus<>{}) == 100000);
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  std::vector<float> x(8, 1), y(9, 1), none;
  std::vector<double> wide(8);
  const auto least = [](float a, float b) { return a < b ? a : b; };
  expect_refused<InvalidArgument>(y, [&] { reduce(ctx, none, least); },
                                  {"reduce: size of 'in' is 0", "at least 1", "identity", "initial value"});
  expect_refused<InvalidArgument>(y, [&] { reduce_into(ctx, none, y, least); },
                                  {"reduce: size of 'in' is 0"});
  expect_refused<InvalidArgument>(y, [&] { reduce_into(ctx, x, none, least); },
                                  {"reduce: size of 'out' is 0; it must be at least 1"});
  expect_refused<InvalidArgument>(x, [&] { reduce_into(ctx, x, std::span(x).subspan(3), least); },
                                  {"reduce: 'out' overlaps 'in'", "12 bytes after"});
  expect_refused<InvalidArgument>(y,
                                  [&] {
                                    reduce(ctx, View<const float>{nullptr, 3}, least);
                                  },
                                  {"'in' is null"});
  expect_refused<InvalidArgument>(y, [&] { inclusive_scan(ctx, x, y, least); },
                                  {"scan: size of 'out' is 9; it must be 8"});
  expect_refused<InvalidArgument>(
      x,
      [&] {
        inclusive_scan(ctx, View<float>{x.data(), 7}, View<float>{x.data() + 1, 7}, least);
      },
      {"scan: 'out' overlaps 'in'", "only exactly in place"});
  expect_refused<InvalidArgument>(
      x,
      [&] {
        inclusive_scan(ctx, x, View<int>{reinterpret_cast<int*>(x.data()), 8}, least);
      },
      {"they must be apart"});
  expect_refused<InvalidArgument>(y,
                                  [&] {
                                    exclusive_scan(ctx, x, View<double>{wide.data(), -1}, least, 0.0);
                                  },
                                  {"size of 'out' is -1"});
  const auto sum = std::plus<>{};
  const Segments two(ctx, std::vector<std::int64_t>{0, 3, 8}), nine = Segments::equal(9, 1);
  expect_refused<InvalidArgument>(
      y, [&] { segmented_reduce(ctx, x, two, y, sum); },
      {"segmented_reduce: size of 'out' is 9; it must be 2, one for each segment"});
  expect_refused<InvalidArgument>(y, [&] { segmented_reduce(ctx, x, nine, y, sum); },
                                  {"9 segments of 1 elements are 9; 'in' has 8 elements"});
  expect_refused<InvalidArgument>(x, [&] { segmented_reduce(ctx, x, two, std::span(x).subspan(6), sum); },
                                  {"segmented_reduce: 'out' overlaps 'in'"});
  expect_refused<InvalidArgument>(y, [&] { sort_into(ctx, x, y, least); },
                                  {"sort: size of 'keys_out' is 9; it must be 8"});
  expect_refused<InvalidArgument>(
      x,
      [&] {
        sort_into(ctx, View<float>{x.data(), 7}, View<float>{x.data() + 1, 7}, std::less<>{});
      },
      {"sort: 'keys_out' overlaps 'keys'"});
  std::vector<std::int64_t> bins(2), too_many(65'537), no_bins;
  const auto zero = [](float) { return 0; };
  expect_refused<InvalidArgument>(too_many, [&] { histogram(ctx, x, zero, too_many); },
                                  {"histogram: size of 'counts' is 65537", "from 1 to 65536"});
  expect_refused<InvalidArgument>(x, [&] { histogram(ctx, x, zero, no_bins); }, {"size of 'counts' is 0"});
  expect_refused<InvalidArgument>(bins,
                                  [&] {
                                    histogram(ctx, View<const float>{nullptr, 3}, zero, bins);
                                  },
                                  {"histogram: 'in' is null"});
  const auto any = [](float) { return true; };
  std::vector<std::int64_t> count(1), no_count;
  expect_refused<InvalidArgument>(x, [&] { select(ctx, y, any, x); },
                                  {"select: size of 'out' is 8; it must be at least 9, the size of 'in'"});
  expect_refused<InvalidArgument>(x, [&] { select(ctx, x, any, x); },
                                  {"select: 'out' overlaps 'in'", "apart"});
  expect_refused<InvalidArgument>(y, [&] { partition_into(ctx, x, any, y, no_count); },
                                  {"select: size of 'count' is 0; it must be at least 1"});
  expect_refused<InvalidArgument>(y,
                                  [&] {
                                    select_into(ctx, View<const float>{nullptr, 3}, any, y, count);
                                  },
                                  {"select: 'in' is null"});
}

TEST_SUITE_END();

}  // namespace tandem
