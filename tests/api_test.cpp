// The public API: right calls of every kind of container, type and operator; odd but legal ones; and bad
// ones, each of which throws the right exception, names operation, argument and value, and leaves outputs
// untouched.

#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "lib/harness/random.h"
#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

template <class T>
std::vector<T> small_numbers(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int value = static_cast<int>(random_bits(3, i) % 7) - 3;
    if constexpr (std::is_same_v<T, half>)
      values[i] = half(static_cast<float>(value));
    else
      values[i] = static_cast<T>(value);
  }
  return values;
}

template <class F>
void for_each_operator(F f) {
  f(plus), f(multiplies), f(minimum), f(maximum), f(logical_and), f(logical_or);
}

template <class T, class Op>
std::vector<T> scanned(const std::vector<T>& x, Op op, bool exclusive, T init) {
  std::vector<T> y;
  T running = Op::lift(init);
  for (const T& element : x) {
    const T next = op(running, Op::lift(element));
    y.push_back(exclusive ? running : next);
    running = next;
  }
  return y;
}

// --- bad calls
// ------------------------------------------------------------------------------------------------------

enum class Call { reduce, reduce_into, inclusive, exclusive, inclusive_init };
constexpr Call kCalls[] = {Call::reduce, Call::reduce_into, Call::inclusive, Call::exclusive,
                           Call::inclusive_init};

template <class T>
void make(Call call, Context& ctx, View<const T> in, View<T> out, const Options& options = {}) {
  switch (call) {
    case Call::reduce:
      reduce(ctx, in, plus, options);
      break;
    case Call::reduce_into:
      reduce_into(ctx, in, out, plus, options);
      break;
    case Call::inclusive:
      inclusive_scan(ctx, in, out, plus, options);
      break;
    case Call::exclusive:
      exclusive_scan(ctx, in, out, plus, options);
      break;
    case Call::inclusive_init:
      inclusive_scan(ctx, in, out, plus, T(5), options);
      break;
  }
}

// Counts bad calls, and checks each.
struct BadCalls {
  int count = 0;

  template <class Exception, class T>
  void expect(Call call, View<const T> in, View<T> out, std::span<T> watched, const Options& options,
              std::initializer_list<std::string> parts) {
    ++count;
    const std::vector<T> before(watched.begin(), watched.end());
    Context ctx = Context::host();
    const std::string message = thrown<Exception>([&] { make<T>(call, ctx, in, out, options); });
    CHECK(std::memcmp(before.data(), watched.data(), watched.size_bytes()) == 0);
    for (const std::string& part : parts) {
      CHECK_MESSAGE(contains(message, part), "'", message, "' does not say '", part, "'");
    }
  }
};

template <class T>
T* shifted(T* pointer, int bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) + static_cast<std::uintptr_t>(bytes));
}

template <class T>
void bad_calls(BadCalls& bad) {
  std::vector<T> x(64, T(1)), y(64, T(-7));
  const View<const T> in{x.data(), 32};
  const View<T> out{y.data(), 32};
  const auto pointer = [](const void* p) { return std::to_string(reinterpret_cast<std::uintptr_t>(p)); };
  (void)pointer;
  for (const Call call : kCalls) {
    const bool is_reduce = call == Call::reduce || call == Call::reduce_into;
    const bool has_out = call != Call::reduce;
    const std::string op = is_reduce ? "reduce: " : "scan: ";
    const auto expect = [&](View<const T> i, View<T> o, std::initializer_list<std::string> parts) {
      bad.expect<InvalidArgument, T>(call, i, o, y, {}, parts);
    };
    for (const std::int64_t n : {1, 32, 1 << 30}) {
      expect({nullptr, n}, {y.data(), n}, {op, "'in' is null, but its size is " + std::to_string(n)});
      if (has_out) expect(in, {nullptr, is_reduce ? n : 32}, {op, "'out' is null, but its size is "});
    }
    for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{-1000000007}, INT64_MIN}) {
      expect({x.data(), n}, {y.data(), n}, {op, "size of 'in' is " + std::to_string(n), "at least 0"});
      if (has_out) expect(in, {y.data(), n}, {op, "size of 'out' is " + std::to_string(n), "at least 0"});
    }
    for (const std::int64_t n : {INT64_MAX, INT64_MAX / std::int64_t{sizeof(T)} + 1}) {
      expect({x.data(), n}, {y.data(), n},
             {op, "size of 'in' is " + std::to_string(n), "overflow 2^63 bytes"});
      if (has_out)
        expect(in, {y.data(), n}, {op, "size of 'out' is " + std::to_string(n), "overflow 2^63 bytes"});
    }
    for (int bytes = 1; bytes < static_cast<int>(sizeof(T)); ++bytes) {
      expect({shifted(x.data(), bytes), 8}, {y.data(), 8},
             {op, "'in' starts at 0x", "not a multiple of its element size"});
      if (has_out)
        expect({x.data(), 8}, {shifted(y.data(), bytes), 8}, {op, "'out' starts at 0x", "not a multiple"});
    }
    if (call == Call::reduce_into) {
      expect(in, {y.data(), 0}, {op, "size of 'out' is 0; it must be at least 1"});
      for (const int at : {0, 1, 31}) {  // the result may not lie inside the input
        bad.expect<InvalidArgument, T>(call, {y.data(), 32}, {y.data() + at, 1}, y, {},
                                       {op, "'out' overlaps 'in'"});
      }
    }
    if (!is_reduce) {
      for (const std::int64_t n : {0, 1, 31, 33}) {
        expect(in, {y.data(), n},
               {op, "size of 'out' is " + std::to_string(n) + "; it must be 32, the size of 'in'"});
      }
      for (const int distance : {1, 2, 16, 31}) {
        const std::string by = std::to_string(distance * static_cast<int>(sizeof(T))) + " bytes ";
        expect({y.data(), 32}, {y.data() + distance, 32},
               {op, "'out' overlaps 'in' by starting " + by + "after it"});
        expect({y.data() + distance, 32}, {y.data(), 32},
               {op, "'out' overlaps 'in' by starting " + by + "before it"});
      }
    }
    for (const char* use : {"nothing", "custom/nothing", "reduce/custom", "scan", "gemm/custom/serial",
                            "serial@simt", "*", "/"}) {
      bad.expect<InvalidArgument, T>(call, in, out, y, {.use = use},
                                     {op + "unknown implementation '" + use + "'", "known: custom/serial"});
    }
    if (why_no_device().empty()) continue;
    for (const Implementation& i : implementations()) {
      if (i.place != Place::device || i.operation != (is_reduce ? "reduce" : "scan")) continue;
      bad.expect<Unavailable, T>(call, in, out, y, {.use = i.name}, {i.name, "needs a GPU"});
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("api");

TEST_CASE_TEMPLATE("all operators, sizes and containers", T, float, double, std::int32_t, std::int64_t) {
  Context ctx = Context::host();
  for (const std::size_t n : {1u, 2u, 33u, 1000u, 40000u}) {
    for_each_operator([&](auto op) {
      const bool product = decltype(op)::id == OperatorId::multiplies;
      const std::vector<T> x = product ? std::vector<T>(n, T(-1)) : small_numbers<T>(n);
      const T identity = op.template identity<T>();
      const std::vector<T> want = scanned<T>(x, op, false, identity);
      CHECK(reduce(ctx, x, op) == want.back());
      CHECK(reduce(ctx, std::span<const T>(x), op) == want.back());
      CHECK(reduce(ctx, View<const T>{x.data(), static_cast<std::int64_t>(n)}, op) == want.back());
      const Array<T> array(ctx, x);
      CHECK(reduce(ctx, array, op) == want.back());

      T slot = 0;
      reduce_into(ctx, x, std::span<T>(&slot, 1), op);
      CHECK(slot == want.back());

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
      CHECK(y == want);
      Array<T> out(ctx, static_cast<std::int64_t>(n));
      exclusive_scan(ctx, array, out, op);
      CHECK(out.to_vector() == scanned<T>(x, op, true, identity));
    });
  }
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
  for (const Implementation& i : implementations()) {
    if (i.operation != "reduce" || !i.unavailable().empty() || i.place == Place::device || i.path == "wrong")
      continue;
    CAPTURE(i.name);
    const auto gives = [&](const auto& x, auto op, auto right) {
      try {
        CHECK(right(reduce(ctx, x, op, {.use = i.name})));
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
  int legal = 0;
  const auto count = [&](bool right) {
    CHECK(right);
    ++legal;
  };
  // Nothing at all: reduce writes the identity, scan writes nothing; null pointers are fine then.
  for_each_operator([&](auto op) {
    double slot = -7;
    reduce_into(ctx, View<const double>{nullptr, 0}, View<double>{&slot, 1}, op);
    count(slot == op.template identity<double>());
    count(reduce(ctx, std::vector<float>{}, op) == op.template identity<float>());
    count(reduce(ctx, std::vector<std::int64_t>{}, op) == op.template identity<std::int64_t>());
    inclusive_scan(ctx, View<const int>{nullptr, 0}, View<int>{nullptr, 0}, op);
    count(true);
    int untouched = -7;
    exclusive_scan(ctx, View<const int>{&untouched, 0}, View<int>{&untouched, 0}, op, 5);
    count(untouched == -7);
  });
  // Every host row takes them too.
  for (const Implementation& i : implementations()) {
    if (!i.unavailable().empty() || i.place == Place::device || i.path == "wrong") continue;
    try {
      if (i.operation == "reduce") {
        count(reduce(ctx, std::vector<float>{}, plus, {.use = i.name}) == 0);
        count(reduce(ctx, std::vector<float>{3}, plus, {.use = i.name}) == 3);
      } else if (i.operation == "scan") {
        const std::vector<float> one{3}, none;
        std::vector<float> out{-7}, nothing;
        inclusive_scan(ctx, none, nothing, plus, {.use = i.name});
        inclusive_scan(ctx, one, out, plus, {.use = i.name});
        count(out[0] == 3);
      }
    } catch (const Unavailable&) {  // this path does not take such a case, and said why
    }
  }
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<float> memory(4096, 1);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    count(reduce(ctx, View<const float>{memory.data() + offset, 1000}) == 1000);
    inclusive_scan(ctx, View<const float>{memory.data() + offset, 1000},
                   View<float>{memory.data() + offset + 1000, 1000});
    count(memory[static_cast<std::size_t>(offset) + 1999] == 1000);
    reduce_into(ctx, View<const float>{memory.data() + 1, 0}, View<float>{memory.data(), 1});
    std::fill(memory.begin(), memory.end(), 1.0f);
    reduce_into(ctx, View<const float>{memory.data() + 1, 100}, View<float>{memory.data(), 1});
    count(memory[0] == 100);
    std::fill(memory.begin(), memory.end(), 1.0f);
  }
  // An output larger than needed, arrays of fixed size, constant data, rvalues, a context moved in between.
  std::vector<int> slots(3, -7);
  reduce_into(ctx, std::vector<int>{1, 2}, slots);
  count((slots == std::vector<int>{3, -7, -7}));
  count(reduce(ctx, std::array<int, 4>{1, 2, 3, 4}) == 10);
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
  Context moved = std::move(ctx);
  count(reduce(moved, constant) == 6);
  ctx = std::move(moved);
  count(reduce(ctx, constant) == 6);
  MESSAGE(legal, " odd but legal calls");
  CHECK(legal >= 45);
}

TEST_CASE("bad calls") {
  BadCalls bad;
  bad_calls<float>(bad);
  bad_calls<double>(bad);
  bad_calls<std::int32_t>(bad);
  bad_calls<std::int64_t>(bad);

  Context ctx = Context::host();
  const std::vector<int> three{1, 2, 3};
  Array<int> two(ctx, 2);
  const auto also = [&](auto action, const char* part) {
    ++bad.count;
    CHECK(contains(thrown<InvalidArgument>(action), part));
  };
  also([&] { two.upload(three); }, "3 values for an array of 2");
  also([&] { Array<int>(ctx, -1); }, "size is -1");
  also([&] { Array<std::int64_t>(ctx, INT64_MAX / 4); }, "fit in 2^63 bytes");
  also([&] { inclusive_scan(ctx, three, two); }, "size of 'out' is 2; it must be 3");
  // After all that the context works.
  CHECK(reduce(ctx, three) == 6);
  MESSAGE(bad.count, " bad calls");
  CHECK(bad.count >= 225);
}

TEST_SUITE_END();

}  // namespace tandem
