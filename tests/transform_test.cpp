// transform by its public functions: right calls of every form, function and container; odd but legal ones;
// bad ones; and what a call must at least do.

#include <array>
#include <cmath>
#include <span>

#include "lib/harness/operation.h"
#include "tandem/tandem.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

template <class T>
std::vector<T> ramp(std::size_t n, int from) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>((static_cast<int>(i) + from) % 17 - 8);
  return values;
}

template <class T, class F>
std::vector<T> by_loop(std::size_t n, F f) {
  std::vector<T> z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = f(i);
  return z;
}

// Counts bad calls; each throws, says what is wrong and leaves `watched` as it was.
struct BadCalls {
  int count = 0;
  std::vector<float>& watched;

  template <class Action>
  void expect(Action action, const std::vector<std::string>& parts) {
    ++count;
    expect_refused<InvalidArgument>(watched, action, parts);
  }
};

}  // namespace

TEST_SUITE_BEGIN("transform");

TEST_CASE_TEMPLATE("all functions, forms and containers", T, float, double, std::int32_t, std::int64_t,
                   std::uint32_t, std::uint64_t) {
  Context ctx = Context::host();
  for (const std::size_t n : {1u, 2u, 33u, 1000u, 40000u, 5000000u}) {
    const auto x = ramp<T>(n, 0), y = ramp<T>(n, 5), w = ramp<T>(n, 9), v = ramp<T>(n, 3);
    std::vector<T> z(n);
    transform(ctx, negate, x, z);
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return -x[i]; }));
    transform(ctx, square, std::span<const T>(x), std::span<T>(z));
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return x[i] * x[i]; }));
    transform(ctx, plus, x, View<const T>{y.data(), static_cast<std::int64_t>(n)}, z);
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return x[i] + y[i]; }));
    transform(ctx, axpy(T(-2)), Array<T>(ctx, x), y, z);
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return -2 * x[i] + y[i]; }));
    transform(ctx, multiply_add, x, y, w, z);
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return x[i] * y[i] + w[i]; }));
    transform(ctx, dot2, zip(x, y, w, v), z);
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return x[i] * y[i] + w[i] * v[i]; }));
    transform(ctx, multiply_add, zip(x, y, w), z);  // zipped is the same
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return x[i] * y[i] + w[i]; }));
    // In place of any input, and with one array as all of them.
    for (int which = 0; which < 3; ++which) {
      std::array<std::vector<T>, 3> in{x, y, w};
      transform(ctx, multiply_add, in[0], in[1], in[2], in[static_cast<std::size_t>(which)]);
      CHECK(in[static_cast<std::size_t>(which)] == z);
    }
    z = x;
    transform(ctx, dot2, zip(z, z, z, z), z);
    CHECK(z == by_loop<T>(n, [&](std::size_t i) { return x[i] * x[i] + x[i] * x[i]; }));
  }
}

TEST_CASE("edges: wrapping, NaN, infinity, signs of zero") {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("transform")) {
    CAPTURE(i->name);
    const Options use{.use = i->name};
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                    kInfinity = std::numeric_limits<float>::infinity();
    std::vector<int> whole{INT32_MIN, INT32_MAX, 65536}, results(3);
    transform(ctx, negate, whole, results, use);
    CHECK((results == std::vector<int>{INT32_MIN, -INT32_MAX, -65536}));
    transform(ctx, square, whole, results, use);
    CHECK((results == std::vector<int>{0, 1, 0}));
    transform(ctx, axpy(2), whole, whole, results, use);
    CHECK((results == std::vector<int>{INT32_MIN, INT32_MAX - 2, 196608}));

    const std::vector<float> x{0, kNan, kInfinity, -kInfinity, -0.0f, 1};
    std::vector<float> z(6);
    transform(ctx, negate, x, z, use);
    CHECK((std::signbit(z[0]) && std::isnan(z[1]) && z[2] == -kInfinity && z[3] == kInfinity));
    CHECK((!std::signbit(z[4]) && z[5] == -1));
    transform(ctx, axpy(0.0f), x, std::vector<float>(6, 5), z, use);  // no input is skipped for alpha = 0
    CHECK((z[0] == 5 && std::isnan(z[1]) && std::isnan(z[2]) && std::isnan(z[3]) && z[4] == 5));
    transform(ctx, plus, x, std::vector<float>(6, -kInfinity), z, use);
    CHECK((z[0] == -kInfinity && std::isnan(z[1]) && std::isnan(z[2]) && z[3] == -kInfinity));
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  int legal = 0;
  const auto count = [&](bool right) {
    CHECK(right);
    ++legal;
  };
  // Nothing at all: null pointers are fine, nothing is written.
  float untouched = -7;
  const View<const float> none{nullptr, 0};
  transform(ctx, negate, none, View<float>{nullptr, 0});
  transform(ctx, plus, none, none, View<float>{&untouched, 0});
  transform(ctx, dot2, zip(none, none, none, none), View<float>{&untouched, 0});
  count(untouched == -7);
  // Pointers that are aligned to an element and no more, each otherwise; neighbours that touch.
  std::vector<float> memory(4096, 1);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    std::fill(memory.begin(), memory.end(), 1.0f);
    const auto part = [&](std::int64_t from) { return View<float>{memory.data() + from, 1000}; };
    transform(ctx, plus, part(offset), part(offset + 1000), part(offset + 2000));
    count(memory[static_cast<std::size_t>(offset) + 1999] == 1 &&
          memory[static_cast<std::size_t>(offset) + 2000] == 2 &&
          memory[static_cast<std::size_t>(offset) + 2999] == 2 &&
          memory[static_cast<std::size_t>(offset) + 3000] == 1);
    transform(ctx, multiply_add, part(0), part(offset), part(2 * offset), part(3000 + offset));
    count(memory[static_cast<std::size_t>(offset) + 3000] == 2);
    // Inputs may overlap each other as they like.
    transform(ctx, plus, part(0), part(1), part(1000 + offset));
    count(memory[static_cast<std::size_t>(offset) + 1000] == 2);
  }
  // Arrays of fixed size, constant data, rvalues.
  const std::array<double, 3> constant{1, 2, 3};
  std::array<double, 3> result{};
  transform(ctx, square, constant, result);
  count((result == std::array<double, 3>{1, 4, 9}));
  transform(ctx, axpy(0.5), std::vector<double>{2, 4, 6}, constant, result);
  count((result == std::array<double, 3>{2, 4, 6}));
  // After the first call nothing is allocated.
  std::vector<float> x(100000, 1), z(100000);
  transform(ctx, square, x, z);
  const std::size_t allocations = ctx.allocations();
  for (int i = 0; i < 100; ++i) transform(ctx, square, x, z);
  count(ctx.allocations() == allocations);
  MESSAGE(legal, " odd but legal calls");
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  std::vector<float> a(64, 1), b(64, 1), c(64, 1), d(64, 1), z(64, -7);
  BadCalls bad{0, z};
  const View<const float> in{a.data(), 32};
  const View<float> out{z.data(), 32};

  // Each argument in turn is the bad one.
  const char* const names[] = {"x", "y", "w", "v", "z"};
  for (std::size_t at = 0; at < 5; ++at) {
    const std::string name = std::string("'") + names[at] + "'";
    const auto call = [&](float* data, std::int64_t size) {
      View<const float> inputs[] = {in, {b.data(), 32}, {c.data(), 32}, {d.data(), 32}};
      View<float> result = out;
      if (at < 4)
        inputs[at] = {data, size};
      else
        result = {data, size};
      transform(ctx, dot2, zip(inputs[0], inputs[1], inputs[2], inputs[3]), result);
    };
    for (const std::int64_t n : {1, 32, 1 << 30}) {
      bad.expect([&] { call(nullptr, n); },
                 {"transform: " + name + " is null, but its size is " + std::to_string(n)});
    }
    for (const std::int64_t n : {std::int64_t{-1}, INT64_MIN}) {
      bad.expect([&] { call(b.data(), n); }, {"transform: size of " + name + " is " + std::to_string(n)});
    }
    for (const std::int64_t n : {INT64_MAX, INT64_MAX / 4 + 1})
      bad.expect([&] { call(b.data(), n); }, {"size of " + name, "overflow 2^63 bytes"});
    for (const int bytes : {1, 2, 3}) {
      bad.expect([&] { call(shifted(b.data(), bytes), 32); },
                 {"transform: " + name + " starts at 0x", "not a multiple of its alignment 4"});
    }
    if (at == 0) continue;  // x says how many there are
    for (const std::int64_t n : {0, 1, 31, 33}) {
      bad.expect(
          [&] { call(at < 4 ? b.data() : z.data(), n); },
          {"transform: size of " + name + " is " + std::to_string(n) + "; it must be 32, the size of 'x'"});
    }
  }
  // z on any input, but not exactly.
  for (const int distance : {1, 2, 16, 31}) {
    const std::string by = std::to_string(distance * 4) + " bytes ";
    const View<float> low{z.data(), 32}, high{z.data() + distance, 32};
    const View<const float> low_in{low.data, 32}, high_in{high.data, 32};
    bad.expect([&] { transform(ctx, negate, low_in, high); },
               {"transform: 'z' overlaps 'x' by starting " + by + "after it", "only exactly in place"});
    bad.expect([&] { transform(ctx, negate, high_in, low); },
               {"'z' overlaps 'x' by starting " + by + "before it"});
    bad.expect([&] { transform(ctx, plus, in, low_in, high); }, {"'z' overlaps 'y' by starting " + by});
    bad.expect([&] { transform(ctx, multiply_add, in, in, high_in, low); }, {"'z' overlaps 'w'"});
    bad.expect([&] { transform(ctx, dot2, zip(in, in, in, low_in), high); }, {"'z' overlaps 'v'"});
  }
  for (const char* use : {"nothing", "custom/nothing", "scan/custom/serial", "serial@simt", "*"}) {
    bad.expect([&] { transform(ctx, negate, in, out, {.use = use}); },
               {"transform: unknown implementation '" + std::string(use) + "'; known: custom/serial"});
  }
  // After all that the context works.
  transform(ctx, negate, in, out);
  CHECK(z[31] == -1);
  MESSAGE(bad.count, " bad calls");
  CHECK(bad.count >= 75);
}

TEST_CASE("bytes and operations") {
  const Operation& op = operation("transform");
  const auto intensity = [&](OperatorId function) {
    const CaseId id{Type::f32, function};
    const Work work = op.work(id, op.benchmarks(id, 1000, 1).at(0));
    return work.operations / work.bytes;
  };
  CHECK(intensity(OperatorId::negate) == 1.0 / 8);
  CHECK(intensity(OperatorId::plus) == 1.0 / 12);
  CHECK(intensity(OperatorId::axpy) == 2.0 / 12);
  CHECK(intensity(OperatorId::multiply_add) == 2.0 / 16);
  CHECK(intensity(OperatorId::dot2) == 3.0 / 20);
}

TEST_SUITE_END();

}  // namespace tandem
