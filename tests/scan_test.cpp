// scan by its public functions: right calls of every container, type and operator; odd but legal ones; and
// bad ones, each of which throws the right exception, names operation, argument and value, and leaves outputs
// untouched.

#include <array>
#include <cmath>

#include "tandem/tandem.h"
#include "tests/array_calls.h"

namespace tandem {

TEST_SUITE_BEGIN("scan");

TEST_CASE_TEMPLATE("all operators, sizes and containers", T, float, double, std::int32_t, std::int64_t) {
  Context ctx = Context::host();
  for (const std::size_t n : {1u, 2u, 33u, 1000u, 40000u}) {
    for_each_operator([&](auto op) {
      const std::vector<T> x = small_operands<T>(n, op);
      const T identity = op.template identity<T>();
      for (const T init : {identity, T(2)}) {
        std::vector<T> y(n);
        inclusive_scan(ctx, x, y, op, init);
        CHECK(y == scanned<T>(x, op, false, init));
        exclusive_scan(ctx, x, std::span<T>(y), op, init);
        CHECK(y == scanned<T>(x, op, true, init));
        y = x;
        inclusive_scan(ctx, y, y, op, init);
        CHECK(y == scanned<T>(x, op, false, init));
        y = x;
        exclusive_scan(ctx, y, y, op, init);
        CHECK(y == scanned<T>(x, op, true, init));
      }
      std::vector<T> y(n);
      inclusive_scan(ctx, x, y, op);
      CHECK(y == scanned<T>(x, op, false, identity));
      const Array<T> array(ctx, x);
      Array<T> out(ctx, static_cast<std::int64_t>(n));
      exclusive_scan(ctx, array, out, op);
      CHECK(out.to_vector() == scanned<T>(x, op, true, identity));
    });
  }
}

// What a loop in more bits gives, rounded or wrapped once at the end.
TEST_CASE_TEMPLATE("narrow types: all operators, forms and host rows", T, half, bfloat16, std::int8_t,
                   std::uint8_t) {
  using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  Context ctx = Context::host();
  const std::size_t n = 70'001;
  for_each_operator([&](auto op) {
    const bool multiplies = std::is_same_v<decltype(op), Multiplies>;
    std::vector<T> x(n), want(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] =
          T(static_cast<accumulator_t<T>>(multiplies ? (i % 3 ? 1 : -1) : static_cast<int>(i * 7 % 11) - 3));
    for (const bool exclusive : {false, true}) {
      const T init(static_cast<accumulator_t<T>>(2));
      Wide running = op.lift(static_cast<Wide>(init));
      for (std::size_t i = 0; i < n; ++i) {
        const Wide next = op(running, op.lift(static_cast<Wide>(x[i])));
        want[i] = T(static_cast<accumulator_t<T>>(exclusive ? running : next));
        running = next;
      }
      for (const Implementation* i : host_rows("scan")) {
        CAPTURE(i->name);
        std::vector<T> y(n);
        const Options use{.use = i->name};
        try {
          if (exclusive)
            exclusive_scan(ctx, x, y, op, init, use);
          else
            inclusive_scan(ctx, x, y, op, init, use);
          CHECK(std::memcmp(y.data(), want.data(), n * sizeof(T)) == 0);
        } catch (const Unavailable&) {  // this path does not take such a case, and said why
        }
      }
    }
  });
}

TEST_CASE("narrow types: results are those of the elements' type, rounded or wrapped once") {
  Context ctx = Context::host();
  const std::vector<half> halves(5000, half(1.0f));  // in half itself ones count to 2048
  std::vector<half> sums(halves.size());
  inclusive_scan(ctx, halves, sums);
  CHECK(sums[2047] == 2048);
  CHECK(sums[2048] == 2048);  // 2049 is a tie, to even
  CHECK(sums[2049] == 2050);
  CHECK(sums[4999] == 5000);
  inclusive_scan(ctx, std::vector<half>(3, half(40000.0f)), sums = std::vector<half>(3));
  CHECK(sums[1] == INFINITY);
  const std::vector<half> up_and_down{half(60000.0f), half(60000.0f), half(-60000.0f)};
  inclusive_scan(ctx, up_and_down, sums);
  CHECK(sums[2] == 60000);  // the infinity before it was that of a result alone
  const std::vector<std::uint8_t> bytes(1000, 255);
  std::vector<std::uint8_t> wrapped(bytes.size());
  inclusive_scan(ctx, bytes, wrapped);
  CHECK(wrapped[999] == (1000 * 255) % 256);
  inclusive_scan(ctx, bytes, wrapped, maximum);
  CHECK(wrapped[999] == 255);
  // The identity is that of the elements' type.
  std::vector<std::int8_t> least(3), of{5, 4, 6};
  exclusive_scan(ctx, of, least, minimum);
  CHECK(least == std::vector<std::int8_t>{127, 5, 4});
  exclusive_scan(ctx, of, least, maximum);
  CHECK(least == std::vector<std::int8_t>{-128, 5, 5});
  std::vector<bfloat16> none{bfloat16(3.0f)};
  exclusive_scan(ctx, none, none, minimum);
  CHECK(none[0] == INFINITY);
}

TEST_CASE_TEMPLATE("unsigned integers wrap and have no sign", T, std::uint32_t, std::uint64_t) {
  Context ctx = Context::host();
  const T top = std::numeric_limits<T>::max();
  const std::vector<T> x{top, 2, top, 3};
  std::vector<T> y(x.size());
  inclusive_scan(ctx, x, y);
  CHECK(y == std::vector<T>{top, 1, 0, 3});
  inclusive_scan(ctx, x, y, multiplies);
  CHECK(y == std::vector<T>{top, top - 1, 2, 6});
  inclusive_scan(ctx, x, y, minimum);
  CHECK(y == std::vector<T>{top, 2, 2, 2});
  exclusive_scan(ctx, x, y, maximum);
  CHECK(y == std::vector<T>{0, top, top, top});
}

TEST_CASE_TEMPLATE("without an operator it adds, with options or none", T, float, double, std::int32_t,
                   std::int64_t) {
  Context ctx = Context::host();
  const std::vector<T> x = small_numbers<T>(1000);
  const std::vector<T> inclusive = scanned<T>(x, plus, false, T(0)),
                       exclusive = scanned<T>(x, plus, true, T(0));
  const std::vector<T> untouched(x.size(), T(-7));
  std::vector<T> y = untouched;
  const auto result = [&] { return std::exchange(y, untouched); };
  inclusive_scan(ctx, x, y);
  CHECK(result() == inclusive);
  exclusive_scan(ctx, x, y);
  CHECK(result() == exclusive);
  for (const Implementation* i : host_rows("scan")) {
    CAPTURE(i->name);
    try {
      inclusive_scan(ctx, x, y, {.use = i->name});
      CHECK(result() == inclusive);
      CHECK(ctx.last().implementation == i->name);
      CHECK(ctx.last().why == "asked for with .use");
      exclusive_scan(ctx, x, y, {.use = i->name});
      CHECK(result() == exclusive);
      CHECK(ctx.last().implementation == i->name);
    } catch (const Unavailable&) {  // this path does not take such a case, and said why
    }
  }
  const Options options{.use = "custom/serial"};
  inclusive_scan(ctx, x, std::span<T>(y), options);
  CHECK(result() == inclusive);
  exclusive_scan(ctx, x, std::span<T>(y), options);
  CHECK(result() == exclusive);
  thrown<InvalidArgument>([&] { inclusive_scan(ctx, x, y, {.use = "nothing"}); });
  thrown<InvalidArgument>([&] { exclusive_scan(ctx, x, y, {.use = "nothing"}); });
  CHECK(y == untouched);
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  // Nothing at all: nothing is written, and null pointers are fine.
  for_each_operator([&](auto op) {
    inclusive_scan(ctx, View<const int>{nullptr, 0}, View<int>{nullptr, 0}, op);
    count(true);
    int untouched = -7;
    exclusive_scan(ctx, View<const int>{&untouched, 0}, View<int>{&untouched, 0}, op, 5);
    count(untouched == -7);
  });
  // Every host row takes that too.
  for (const Implementation* i : host_rows("scan")) {
    try {
      const std::vector<float> one{3}, none;
      std::vector<float> out{-7}, nothing;
      inclusive_scan(ctx, none, nothing, plus, {.use = i->name});
      inclusive_scan(ctx, one, out, plus, {.use = i->name});
      count(out[0] == 3);
    } catch (const Unavailable&) {  // this path does not take such a case, and said why
    }
  }
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<float> memory(4096);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    std::fill(memory.begin(), memory.end(), 1.0f);
    inclusive_scan(ctx, View<const float>{memory.data() + offset, 1000},
                   View<float>{memory.data() + offset + 1000, 1000});
    count(memory[static_cast<std::size_t>(offset) + 1999] == 1000);
  }
  // Arrays of fixed size, constant data, a first value that is no operand yet, a NaN.
  const std::array<double, 3> constant{1, 2, 3};
  std::array<double, 3> result{};
  exclusive_scan(ctx, constant, result);
  count((result == std::array<double, 3>{0, 1, 3}));
  exclusive_scan(ctx, constant, result, maximum);
  count(std::isinf(result[0]) && result[0] < 0);
  exclusive_scan(ctx, constant, result, logical_and, 9.0);
  count((result == std::array<double, 3>{1, 1, 1}));
  inclusive_scan(ctx, constant, result, plus, std::nan(""));
  count(std::isnan(result[0]) && std::isnan(result[2]));
  // A context moved in between.
  Context moved = std::move(ctx);
  inclusive_scan(moved, constant, result);
  count((result == std::array<double, 3>{1, 3, 6}));
  ctx = std::move(moved);
  inclusive_scan(ctx, constant, result);
  count((result == std::array<double, 3>{1, 3, 6}));
  MESSAGE(count.count, " odd but legal calls");
  CHECK(count.count >= 23);
}

TEST_CASE("bad calls") {
  int count = 0;
  const auto of_type = [&]<class T>(T) {
    const auto of_form = [&](decltype(BadCalls<T>::call) call) {
      BadCalls<T> bad("scan", call, true, count);
      bad.expect_common(true);
      T* const y = bad.y.data();
      for (const std::int64_t n : {0, 1, 31, 33}) {
        bad.expect(bad.in, {y, n},
                   {"scan: size of 'out' is " + std::to_string(n) + "; it must be 32, the size of 'in'"});
      }
      for (const int distance : {1, 2, 16, 31}) {
        const std::string by = std::to_string(distance * static_cast<int>(sizeof(T))) + " bytes ";
        bad.expect({y, 32}, {y + distance, 32}, {"scan: 'out' overlaps 'in' by starting " + by + "after it"});
        bad.expect({y + distance, 32}, {y, 32},
                   {"scan: 'out' overlaps 'in' by starting " + by + "before it"});
      }
    };
    of_form([](Context& ctx, View<const T> in, View<T> out, const Options& options) {
      inclusive_scan(ctx, in, out, plus, options);
    });
    of_form([](Context& ctx, View<const T> in, View<T> out, const Options& options) {
      exclusive_scan(ctx, in, out, plus, options);
    });
    of_form([](Context& ctx, View<const T> in, View<T> out, const Options& options) {
      inclusive_scan(ctx, in, out, plus, T(5), options);
    });
  };
  of_type(float()), of_type(double()), of_type(std::int32_t()), of_type(std::int64_t());

  Context ctx = Context::host();
  const std::vector<int> three{1, 2, 3};
  Array<int> two(ctx, 2);
  ++count;
  CHECK(contains(thrown<InvalidArgument>([&] { inclusive_scan(ctx, three, two); }),
                 "size of 'out' is 2; it must be 3"));
  // After all that the context works.
  std::vector<int> y(3);
  inclusive_scan(ctx, three, y);
  CHECK(y == std::vector<int>{1, 3, 6});
  MESSAGE(count, " bad calls");
  CHECK(count >= 225);
}

TEST_SUITE_END();

}  // namespace tandem
