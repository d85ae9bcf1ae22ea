// reduce by its public functions: right calls of every container, type and operator; odd but legal ones; and
// bad ones, each of which throws the right exception, names operation, argument and value, and leaves outputs
// untouched.

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "lib/ops/reduce/contract.h"
#include "tandem/tandem.h"
#include "tests/array_calls.h"

namespace tandem {

TEST_SUITE_BEGIN("reduce");

TEST_CASE_TEMPLATE("all operators, sizes and containers", T, float, double, std::int32_t, std::int64_t) {
  Context ctx = Context::host();
  for (const std::size_t n : {1u, 2u, 33u, 1000u, 40000u}) {
    for_each_operator([&](auto op) {
      const std::vector<T> x = small_operands<T>(n, op);
      const T want = scanned<T>(x, op, false, op.template identity<T>()).back();
      CHECK(reduce(ctx, x, op) == want);
      CHECK(reduce(ctx, std::span<const T>(x), op) == want);
      CHECK(reduce(ctx, View<const T>{x.data(), static_cast<std::int64_t>(n)}, op) == want);
      const Array<T> array(ctx, x);
      CHECK(reduce(ctx, array, op) == want);

      T slot = 0;
      reduce_into(ctx, x, std::span<T>(&slot, 1), op);
      CHECK(slot == want);
    });
  }
}

TEST_CASE_TEMPLATE("without an operator it adds, with options or none", T, float, double, std::int32_t,
                   std::int64_t) {
  Context ctx = Context::host();
  const std::vector<T> x = small_numbers<T>(1000);
  const T want = scanned<T>(x, plus, false, T(0)).back();
  std::vector<T> slot(1);
  const auto result = [&] { return std::exchange(slot[0], T(-7)); };
  CHECK(reduce(ctx, x) == want);
  reduce_into(ctx, x, slot);
  CHECK(result() == want);
  for (const Implementation* i : host_rows("reduce")) {
    CAPTURE(i->name);
    try {
      const T sum = reduce(ctx, x, {.use = i->name});
      CHECK(sum == want);
      CHECK(ctx.last().implementation == i->name);
      CHECK(ctx.last().why == "asked for with .use");
      reduce_into(ctx, x, slot, {.use = i->name});
      CHECK(result() == want);
      CHECK(ctx.last().implementation == i->name);
    } catch (const Unavailable&) {  // this path does not take such a case, and said why
    }
  }
  const Options options{.use = "custom/serial"};
  CHECK(reduce(ctx, x, options) == want);
  reduce_into(ctx, x, slot, options);
  CHECK(result() == want);
  CHECK(reduce(ctx, std::vector<T>{}, options) == 0);
  thrown<InvalidArgument>([&] { reduce(ctx, x, {.use = "nothing"}); });
  thrown<InvalidArgument>([&] { reduce_into(ctx, x, slot, {.use = "nothing"}); });
  CHECK(result() == -7);
}

/// baseⁿ, modulo 2^32.
constexpr std::uint32_t power(std::uint32_t base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }

TEST_CASE("half and int8 are accumulated in more") {
  Context ctx = Context::host();
  const std::vector<std::int8_t> bytes(1000, 100);
  CHECK(reduce(ctx, bytes) == 100000);
  CHECK(reduce(ctx, bytes, maximum) == 100);
  CHECK(reduce(ctx, std::vector<std::int8_t>{-128, 127}, minimum) == -128);
  CHECK(reduce(ctx, std::vector<std::int8_t>{}, minimum) == INT32_MAX);
  const std::vector<half> halves(5000, half(10.0f));
  static_assert(std::is_same_v<decltype(reduce(ctx, halves)), float>);
  CHECK(reduce(ctx, halves) == 50000);  // half itself counts to 2048 in ones
  CHECK(reduce(ctx, halves, minimum) == 10);
  CHECK(reduce(ctx, std::vector<std::int8_t>(1000, -1), multiplies) == 1);
  CHECK(reduce(ctx, std::vector<std::int8_t>(1029, 3), multiplies) ==
        static_cast<std::int32_t>(power(3u, 1029)));
  CHECK(reduce(ctx, std::vector<half>(17, half(2.0f)), multiplies) == 131072);  // beyond the greatest half
  CHECK(reduce(ctx, bytes, logical_and) == 1);
  CHECK(reduce(ctx, halves, logical_or) == 1);
}

TEST_CASE("bfloat16 and uint8 are accumulated in more") {
  Context ctx = Context::host();
  const std::vector<std::uint8_t> bytes(1000, 200);
  static_assert(std::is_same_v<decltype(reduce(ctx, bytes)), std::int32_t>);
  CHECK(reduce(ctx, bytes) == 200'000);
  CHECK(reduce(ctx, bytes, minimum) == 200);
  CHECK(reduce(ctx, bytes, logical_and) == 1);
  const std::vector<bfloat16> numbers(5000, bfloat16(10.0f));
  static_assert(std::is_same_v<decltype(reduce(ctx, numbers)), float>);
  for (const Implementation* i : host_rows("reduce")) {
    CAPTURE(i->name);
    try {
      CHECK(reduce(ctx, numbers, plus, {.use = i->name}) == 50'000);  // bfloat16 itself counts to 256 in ones
    } catch (const Unavailable&) {  // this path does not take such a case, and said why
    }
  }
  CHECK(reduce(ctx, numbers, maximum) == 10);
  CHECK(reduce(ctx, numbers, logical_or) == 1);
  CHECK(reduce(ctx, std::vector<bfloat16>(150, bfloat16(2.0f)), multiplies) == INFINITY);
  CHECK(std::isnan(reduce(ctx, std::vector<bfloat16>{bfloat16(1.0f), bfloat16(NAN)}, minimum)));
}

TEST_CASE("uint64 wraps, and has no sign") {
  Context ctx = Context::host();
  const std::uint64_t top = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::uint64_t> x{top, 3, top};
  CHECK(reduce(ctx, x) == 1);
  CHECK(reduce(ctx, x, multiplies) == 3);
  CHECK(reduce(ctx, x, maximum) == top);
  CHECK(reduce(ctx, x, minimum) == 3);
  CHECK(reduce(ctx, std::vector<std::uint64_t>{}, minimum) == top);
}

TEST_CASE("uint32 wraps, and has no sign") {
  Context ctx = Context::host();
  std::vector<std::uint32_t> x(1000, 3'000'000'000u), y(x.size());
  x[500] = 7;
  CHECK(reduce(ctx, x) == 999 * 3'000'000'000u + 7);
  CHECK(reduce(ctx, x, maximum) == 3'000'000'000u);
  CHECK(reduce(ctx, x, minimum) == 7);
  inclusive_scan(ctx, x, y, minimum);
  CHECK(y[499] == 3'000'000'000u);
  CHECK(y.back() == 7);
}

TEST_CASE("operator rules at the edges") {
  Context ctx = Context::host();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  for (const Implementation* i : host_rows("reduce")) {
    CAPTURE(i->name);
    const auto gives = [&](const auto& x, auto op, auto right) {
      try {
        const auto value = reduce(ctx, x, op, {.use = i->name});
        CHECK(right(value));
      } catch (const Unavailable&) {  // this path does not take such a case, and said why
      }
    };
    const auto is_nan = [](float value) { return std::isnan(value); };
    const auto is = [](auto want) { return [want](auto value) { return value == want; }; };
    for (std::size_t at = 0; at < 3; ++at) {
      std::vector<float> x{1, 2, 3};
      x[at] = kNan;
      gives(x, plus, is_nan);
      gives(x, multiplies, is_nan);
      gives(x, minimum, is_nan);
      gives(x, maximum, is_nan);
      gives(x, logical_and, is(1.0f));
      gives(x, logical_or, is(1.0f));
    }
    for (const float one : {5.0f, -0.5f, kNan, kInfinity, 1e-40f}) {
      gives(std::vector<float>{one}, logical_and, is(1.0f));
      gives(std::vector<float>{one}, logical_or, is(1.0f));
    }
    gives(std::vector<float>{-0.0f}, logical_or, is(0.0f));
    gives(std::vector<int>{7}, logical_and, is(1));
    gives(std::vector<int>{INT32_MAX, 1}, plus, is(INT32_MIN));
    gives(std::vector<std::int64_t>{INT64_MAX, 3}, multiplies, is(INT64_MAX - 2));
    gives(std::vector<float>{kInfinity, -kInfinity}, maximum, is(kInfinity));
    gives(std::vector<float>{kInfinity, -kInfinity}, plus, is_nan);
    gives(std::vector<float>{-0.0f, 0.0f}, minimum, is(0.0f));
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  // Of nothing at all it is the identity; null pointers are fine then.
  for_each_operator([&](auto op) {
    double slot = -7;
    reduce_into(ctx, View<const double>{nullptr, 0}, View<double>{&slot, 1}, op);
    count(slot == op.template identity<double>());
    count(reduce(ctx, std::vector<float>{}, op) == op.template identity<float>());
    count(reduce(ctx, std::vector<std::int64_t>{}, op) == op.template identity<std::int64_t>());
  });
  // Every host row takes that too.
  for (const Implementation* i : host_rows("reduce")) {
    try {
      count(reduce(ctx, std::vector<float>{}, plus, {.use = i->name}) == 0);
      count(reduce(ctx, std::vector<float>{3}, plus, {.use = i->name}) == 3);
    } catch (const Unavailable&) {  // this path does not take such a case, and said why
    }
  }
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<float> memory(4096, 1);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    count(reduce(ctx, View<const float>{memory.data() + offset, 1000}) == 1000);
    reduce_into(ctx, View<const float>{memory.data() + 1, 0}, View<float>{memory.data(), 1});
    count(memory[0] == 0);
    reduce_into(ctx, View<const float>{memory.data() + 1, 100}, View<float>{memory.data(), 1});
    count(memory[0] == 100);
  }
  // An output larger than needed, arrays of fixed size, constant data, rvalues, a context moved in between.
  std::vector<int> slots(3, -7);
  reduce_into(ctx, std::vector<int>{1, 2}, slots);
  count((slots == std::vector<int>{3, -7, -7}));
  count(reduce(ctx, std::array<int, 4>{1, 2, 3, 4}) == 10);
  const std::array<double, 3> constant{1, 2, 3};
  Context moved = std::move(ctx);
  count(reduce(moved, constant) == 6);
  ctx = std::move(moved);
  count(reduce(ctx, constant) == 6);
  MESSAGE(count.count, " odd but legal calls");
  CHECK(count.count >= 37);
}

namespace {

/// Pairs that cancel, of all magnitudes, with `kept` among them, in random order.
template <class T>
std::vector<T> among_noise(std::vector<T> kept, std::size_t pairs, std::mt19937_64& random) {
  for (std::size_t i = 0; i < pairs; ++i) {
    T x;
    do {
      const std::uint64_t bits = random();
      std::memcpy(&x, &bits, sizeof x);
    } while (!std::isfinite(x));
    kept.push_back(x);
    kept.push_back(-x);
  }
  std::shuffle(kept.begin(), kept.end(), random);
  return kept;
}
constexpr Reduce::Shape kPortable{1, true};
/// Bit for bit, but one NaN is as good as another.
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

}  // namespace

TEST_CASE_TEMPLATE("a portable sum is the exact one, rounded once, on every path", T, float, double) {
  using Limits = std::numeric_limits<T>;
  Context ctx = Context::host();
  std::mt19937_64 random(20261123);
  const T tiny = Limits::denorm_min(), most = Limits::max(), eps = Limits::epsilon(),
          inf = Limits::infinity();
  struct Known {
    std::vector<T> kept;
    T sum;
  };
  std::vector<Known> all{{{}, 0},
                         {{T(-0.0)}, 0},
                         {{tiny, tiny, tiny}, 3 * tiny},
                         {{1, eps / 2}, 1},                  // a tie: the even one
                         {{1 + eps, eps / 2}, 1 + 2 * eps},  // a tie: the even one
                         {{1, eps / 2, tiny}, 1 + eps},      // just more than a tie
                         {{1, eps / 2, -tiny}, 1},           // just less
                         {{-1, -eps / 2, -tiny}, -1 - eps},
                         {{most, most, -most}, most},  // sums on the way leave the range
                         {{most, most}, inf},
                         {{-most, -most}, -inf},
                         {{most, most * (eps / 4)}, most},  // rounds down
                         {{most, most * (eps / 2)}, inf},
                         {{inf, most}, inf},
                         {{-inf, 1}, -inf},
                         {{inf, -inf}, Limits::quiet_NaN()},
                         {{Limits::quiet_NaN(), inf}, Limits::quiet_NaN()}};
  for (int i = 0; i < 40; ++i) {  // IEEE's addition of two numbers is such a sum
    const std::vector<T> pair = among_noise<T>({}, 2, random);
    all.push_back({{pair[0], pair[1]}, pair[0] + pair[1] == 0 ? T(0) : pair[0] + pair[1]});
  }
  int paths = 0;
  for (const Implementation* row : host_rows("reduce")) {
    if (!row->refusal(&kPortable, {type_of<T>, OperatorId::plus}).empty()) continue;
    CAPTURE(row->name);
    ++paths;
    for (const Known& known : all) {
      for (const std::size_t pairs : {0u, 3u, 500u, 20'000u}) {
        const std::vector<T> x = among_noise(known.kept, pairs, random);
        const T sum = reduce(ctx, x, {.use = row->name, .bits = portable});
        CHECK_MESSAGE(same(sum, known.sum), pairs, " pairs: ", sum, " for ", known.sum);
      }
    }
  }
  CHECK(paths >= 1);
}

TEST_CASE_TEMPLATE("portable sums of any order, alignment and number of threads have the same bits", T, float,
                   double, half, bfloat16) {
  Context ctx = Context::host();
  std::mt19937_64 random(7);
  std::normal_distribution<float> normal(0, 100);
  for (const std::size_t n : {1u, 5u, 255u, 300u, 4099u, 70'001u}) {
    std::vector<T> x(n + 3);
    for (T& value : x) value = T(normal(random));
    const auto sum = [&](std::string_view use, std::size_t offset) {
      return reduce(ctx, std::span<const T>(x).subspan(offset, n), {.use = use, .bits = portable});
    };
    for (const std::size_t offset : {0u, 1u, 3u}) {
      const auto first = sum("", offset);
      CHECK(ctx.last().implementation == "reduce/custom/exact_threads");
      for (const Implementation* row : host_rows("reduce")) {
        if (row->refusal(&kPortable, {type_of<T>, OperatorId::plus}).empty())
          CHECK_MESSAGE(same(sum(row->name, offset), first), row->name, " n = ", n);
      }
      std::shuffle(x.begin() + static_cast<std::ptrdiff_t>(offset),
                   x.begin() + static_cast<std::ptrdiff_t>(offset + n), random);
      CHECK(same(sum("", offset), first));
    }
  }
}

TEST_CASE("bits that are portable without more: what does not round; and what nobody offers") {
  Context ctx = Context::host();
  const Options options{.bits = portable};
  const std::vector<int> numbers{1, 2, 3};
  CHECK(reduce(ctx, numbers, options) == 6);
  CHECK(reduce(ctx, std::vector<float>{1, 5, 2}, maximum, options) == 5);
  CHECK(reduce(ctx, std::vector<float>{}, options) == 0);
  const std::vector<float> x(10, 1);
  std::vector<float> y(10);
  CHECK(contains(thrown<Unavailable>([&] { reduce(ctx, x, multiplies, options); }),
                 "bits is portable, which of what rounds only sums can be"));
  CHECK(contains(thrown<Unavailable>([&] { reduce(ctx, x, {.use = "custom/serial", .bits = portable}); }),
                 "its order of additions is its own"));
  CHECK(contains(thrown<InvalidArgument>([&] { inclusive_scan(ctx, x, y, options); }),
                 "scan: bits is portable; only reduce"));
}

TEST_CASE("bad calls") {
  int count = 0;
  const auto of_type = [&]<class T>(T) {
    BadCalls<T> value(
        "reduce",
        [](Context& ctx, View<const T> in, View<T>, const Options& options) {
          reduce(ctx, in, plus, options);
        },
        false, count);
    value.expect_common(false);
    BadCalls<T> into(
        "reduce",
        [](Context& ctx, View<const T> in, View<T> out, const Options& options) {
          reduce_into(ctx, in, out, plus, options);
        },
        true, count);
    into.expect_common(false);
    into.expect(into.in, {into.y.data(), 0}, {"reduce: size of 'out' is 0; it must be at least 1"});
    for (const int at : {0, 1, 31})  // the result may not lie inside the input
      into.expect({into.y.data(), 32}, {into.y.data() + at, 1}, {"reduce: 'out' overlaps 'in'"});
  };
  of_type(float()), of_type(double()), of_type(std::int32_t()), of_type(std::int64_t());
  // After all that the context works.
  Context ctx = Context::host();
  thrown<InvalidArgument>([&] { reduce(ctx, View<const int>{nullptr, 3}); });
  CHECK(reduce(ctx, std::vector<int>{1, 2, 3}) == 6);
  MESSAGE(count, " bad calls");
  CHECK(count >= 225);
}

TEST_SUITE_END();

}  // namespace tandem
