// reduce, scan and their forms, select, sort and histogram with functors of the user's own, by way of <tandem/functors.cuh>:
// compiled by nvcc for the GPU and by the host compiler for the executor, and run on each.

// First: what calls Tandem in the other headers is to see it.
#include "tandem/functors.cuh"

#include "lib/core/context_impl.h"
#include "lib/core/random_bits.h"
#include "tests/own_operators.h"
#include "tests/own_predicates.h"
#include "tests/support.h"

namespace tandem {
namespace {

#ifdef TANDEM_SIMT
constexpr bool kSkip = false;
Context context() { return Context::host(); }
#else
const bool kSkip = !why_no_device().empty();
Context context() { return Context::device(); }
#endif

struct Sum {
  TANDEM_HD float operator()(float a, float b) const { return a + b; }
};
/// Without an identity, and not commutative.
struct LastOdd {
  TANDEM_HD int operator()(int a, int b) const { return b % 2 != 0 ? b : a; }
};
struct Odd {
  TANDEM_HD bool operator()(int x) const { return x % 2 != 0; }
};
struct LessLastDigit {
  TANDEM_HD bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
struct LastDigit {
  TANDEM_HD std::int64_t operator()(int x) const { return x % 10; }
};
struct Widened {
  TANDEM_HD std::int64_t lift(std::int8_t x) const { return x; }
  TANDEM_HD std::int64_t identity() const { return 0; }
  TANDEM_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

}  // namespace

TEST_SUITE_BEGIN("device");

TEST_CASE("operators of users: pairs, matrices, complex numbers, captured values" * doctest::skip(kSkip)) {
  Context ctx = context();
  for (const std::size_t n : {0u, 1u, 2u, 3u, 31u, 33u, 127u, 500u, 5003u}) check_all_own(ctx, n, 0);
  for (const std::size_t skip : {1u, 2u, 3u}) check_all_own(ctx, 700 + skip, skip);
  CHECK(ctx.last().implementation == "scan/custom/lookback");
  for (const std::size_t n : {1u, 2u, 3001u}) check_moments(ctx, n);
}

TEST_CASE("predicates of users: captured values, small structs" * doctest::skip(kSkip)) {
  Context ctx = context();
  for (const std::size_t n : {0u, 1u, 31u, 33u, 500u, 5003u, 20011u}) check_own_selections(ctx, n, 0);
  for (const std::size_t skip : {1u, 2u, 3u}) check_own_selections(ctx, 700 + skip, skip);
  CHECK(ctx.last().implementation == "select/custom/lookback");
}

TEST_CASE("operators of users by segment, by key and along an axis" * doctest::skip(kSkip)) {
  Context ctx = context();
  for (const std::size_t n : {0u, 1u, 33u, 700u, 3001u}) check_all_own_segments(ctx, n);
  check_own_unchecked(ctx, 40'003);  // more tiles than a look-back reads at once
  // Few long lines, which are cut into parts, and many short ones.
  const std::vector<Matrix> x = matrices(70'001);
  for (const std::int64_t lines : {1, 10'000})
    check_own_axis<Matrix>(ctx, x, lines, MatrixProduct{}, [](const Matrix& m, std::int64_t) { return m; },
                           {1, 2, 3, 5});
  CHECK(ctx.last().implementation == "segmented_reduce/custom/columns");
  const Array<float> elements(ctx, floats(30'000));
  Array<float> sums(ctx, 10'000);
  for (const auto& [length, step] :
       {std::pair{3, "thread_per_segment"}, {300, "warp_per_segment"}, {3000, "block_per_segment"}}) {
    const std::int64_t count = elements.size() / length;
    segmented_reduce(ctx, elements, Segments::equal(count, length), View<float>{sums.data(), count}, Sum{},
                     0.f);
    CHECK(ctx.last().implementation == std::string("segmented_reduce/custom/") + step);
  }
}

TEST_CASE("comparisons of users in sort and top_k, bins of users in histogram" * doctest::skip(kSkip)) {
  Context ctx = context();
  for (const std::size_t n : {0u, 1u, 2u, 31u, 1024u, 1025u, 3000u, 9001u}) check_own_sorts(ctx, n);
  CHECK(ctx.last().implementation == "top_k/custom/sort_all");
  for (const std::size_t n : {3u, 500u, 20'011u}) {
    for (const std::size_t skip : {0u, 1u, 3u}) check_own_histograms(ctx, n, skip);
  }
  CHECK(ctx.last().implementation == "histogram/custom/packs");
}

TEST_CASE("operators of users: narrow elements, results of another type" * doctest::skip(kSkip)) {
  Context ctx = context();
  std::vector<std::int8_t> x(20000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int8_t>(i % 256 - 128);
  std::vector<std::int64_t> want(x.size());
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) want[i] = sum += x[i];
  const Array<std::int8_t> in(ctx, x);
  Array<std::int64_t> out(ctx, in.size());
  inclusive_scan(ctx, in, out, Widened{});
  CHECK(out.to_vector() == want);
  Array<double> value(ctx, 1);
  reduce_into(ctx, in, value, Widened{});
  CHECK(value.to_vector()[0] == static_cast<double>(sum));
  CHECK(ctx.last().implementation == "reduce/custom/one_pass");
}

TEST_CASE(
    "calls with operators of users: recorded in a graph, replayed with other input after a larger call" *
    doctest::skip(kSkip)) {
  Context ctx = context();
  constexpr std::int64_t kRow = 7, n = 429 * kRow, kLarger = 10 * n, kFirst = 50;
  const auto numbers = [](int seed) {
    std::vector<int> all(kLarger);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<int>(random_bits(static_cast<std::uint64_t>(seed), i) % 1000);
    return all;
  };
  std::vector<int> runs(kLarger);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = static_cast<int>(i / 5 % 3);
  Array<int> in(ctx, kLarger), out(ctx, kLarger), keys_out(ctx, kLarger);
  const Array<int> keys(ctx, runs);
  Array<std::int64_t> count(ctx, kLarger);
  const auto input = [](const Array<int>& all, std::int64_t size) {
    return View<const int>{all.data(), size};
  };
  const auto output = [](Array<int>& all, std::int64_t size) { return View<int>{all.data(), size}; };
  const auto counts = [&](std::int64_t size) { return View<std::int64_t>{count.data(), size}; };
  const auto results = [&] { return std::tuple(out.to_vector(), keys_out.to_vector(), count.to_vector()); };
  const auto poison = [&] {
    ctx.fill(out.data(), 0xFF, out.bytes());
    ctx.fill(keys_out.data(), 0xFF, keys_out.bytes());
    ctx.fill(count.data(), 0xFF, count.bytes());
  };
  const auto recorded = [&](const char* what, const auto& call) {
    CAPTURE(what);
    in.upload(numbers(1));
    call(n);
    const std::size_t after_first = ctx.allocations();
    const auto replay = backend(ctx).record([&] { call(n); });
    CHECK(ctx.allocations() == after_first);
    call(kLarger);  // outgrows the workspace that the graph holds
    in.upload(numbers(2));
    poison();
    replay();
    const auto got = results();
    poison();
    call(n);
    CHECK(results() == got);
  };
  recorded("reduce_into", [&](std::int64_t m) { reduce_into(ctx, input(in, m), output(out, 1), LastOdd{}); });
  recorded("inclusive_scan",
           [&](std::int64_t m) { inclusive_scan(ctx, input(in, m), output(out, m), LastOdd{}); });
  recorded("segmented_reduce", [&](std::int64_t m) {
    segmented_reduce(ctx, input(in, m), Segments::equal(m / kRow, kRow), output(out, m / kRow), LastOdd{}, 4);
  });
  recorded("segmented_inclusive_scan", [&](std::int64_t m) {
    segmented_inclusive_scan(ctx, input(in, m), Segments::equal(m / kRow, kRow), output(out, m), LastOdd{});
  });
  recorded("reduce_axis", [&](std::int64_t m) {
    reduce_axis(ctx, matrix(input(in, m), m / kRow, kRow), 0, output(out, kRow), LastOdd{}, 4);
  });
  recorded("inclusive_scan_by_key", [&](std::int64_t m) {
    inclusive_scan_by_key(ctx, input(keys, m), input(in, m), output(out, m), LastOdd{});
  });
  recorded("reduce_by_key_into", [&](std::int64_t m) {
    reduce_by_key_into(ctx, input(keys, m), input(in, m), output(keys_out, m), output(out, m), counts(1),
                       LastOdd{});
  });
  recorded("select_into",
           [&](std::int64_t m) { select_into(ctx, input(in, m), Odd{}, output(out, m), counts(1)); });
  recorded("partition_into",
           [&](std::int64_t m) { partition_into(ctx, input(in, m), Odd{}, output(out, m), counts(1)); });
  recorded("sort_into",
           [&](std::int64_t m) { sort_into(ctx, input(in, m), output(out, m), LessLastDigit{}); });
  recorded("top_k", [&](std::int64_t m) {
    top_k(ctx, input(in, m), output(out, kFirst), counts(kFirst), LessLastDigit{});
  });
  recorded("histogram", [&](std::int64_t m) { histogram(ctx, input(in, m), LastDigit{}, counts(10)); });
}

TEST_CASE("operators of users: bad calls, and the same bits again" * doctest::skip(kSkip)) {
  Context ctx = context();
  const Array<float> none(ctx, 0), x(ctx, floats(30000));
  CHECK(contains(thrown<InvalidArgument>([&] { reduce(ctx, none, Sum{}); }), "reduce: size of 'in' is 0"));
  CHECK(reduce(ctx, none, Sum{}, 3.f) == 3);
  const float sum = reduce(ctx, x, Sum{}, 0.1f);
  for (int run = 0; run < 3; ++run) CHECK(reduce(ctx, x, Sum{}, 0.1f) == sum);
#ifndef TANDEM_SIMT
  Context host = Context::host();
  CHECK(reduce(host, std::vector<float>{1, 2, 4}, Sum{}) == 7);  // the same program, on the CPU
#endif
}

TEST_SUITE_END();

}  // namespace tandem
