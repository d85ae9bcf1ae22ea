// reduce by its public functions: right calls of every container, type and operator; odd but legal ones; and
// bad ones, each of which throws the right exception, names operation, argument and value, and leaves outputs
// untouched.

#include <array>
#include <cmath>
#include <limits>

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
      CHECK(reduce(ctx, x, {.use = i->name}) == want);
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
}

TEST_CASE("operator rules at the edges") {
  Context ctx = Context::host();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  for (const Implementation* i : host_rows("reduce")) {
    CAPTURE(i->name);
    const auto gives = [&](const auto& x, auto op, auto right) {
      try {
        CHECK(right(reduce(ctx, x, op, {.use = i->name})));
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
