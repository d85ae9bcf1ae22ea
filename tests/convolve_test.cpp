// convolve by its public function: right calls of both types and layouts, the sum that it stands for, laws; odd but legal calls;
// and bad ones, each of which names operation, argument, value and limit, and leaves the output untouched.

#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>

#include "tandem/tandem.h"
#include "tests/complex_numbers.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr std::size_t kLengths[] = {1, 2, 3, 4, 5, 7, 8, 11, 16, 30, 64, 97, 100, 210, 256, 1000};

}  // namespace

TEST_SUITE_BEGIN("convolve");

TEST_CASE_TEMPLATE("the sum that a circular convolution is", T, float, double) {
  Context ctx = Context::host();
  for (const std::size_t n : kLengths) {
    CAPTURE(n);
    const Numbers<T> x = random_numbers<T>(n), g = random_numbers<T>(n, 8);
    Numbers<T> h(n), y(n), sums(n);
    fft(ctx, g, h);
    convolve(ctx, x, h, y);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) sums[j] += g[i] * x[(j + n - i) % n];
    }
    CHECK(distance(y, sums) < kClose<T>);
  }
}

TEST_CASE_TEMPLATE("what a transform, a product and a transform back give, with each scaling", T, float,
                   double) {
  Context ctx = Context::host();
  for (const std::size_t n : kLengths) {
    CAPTURE(n);
    const Numbers<T> x = random_numbers<T>(3 * n), h = random_numbers<T>(n, 8);
    for (const FftScaling scaling : {FftScaling::inverse, FftScaling::unitary, FftScaling::none}) {
      const Transforms rows{.n = static_cast<std::int64_t>(n), .batch = 3, .scaling = scaling};
      Numbers<T> y(x.size()), want(x.size());
      convolve(ctx, x, h, y, rows);
      fft(ctx, x, want, rows);
      for (std::size_t k = 0; k < want.size(); ++k) want[k] *= h[k % n];
      inverse_fft(ctx, want, want, rows);
      CHECK(distance(y, want) < kClose<T>);
    }
  }
}

TEST_CASE_TEMPLATE("every path, in place and with gaps, gives what one row at a time gives", T, float,
                   double) {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("convolve")) {
    CAPTURE(i->name);
    for (const std::int64_t n : {1, 8, 15, 64, 77, 512}) {
      CAPTURE(n);
      constexpr std::int64_t kBatch = 3;
      const std::int64_t distance_in = n + 5;
      const Numbers<T> x = random_numbers<T>(static_cast<std::size_t>(kBatch * distance_in));
      const Numbers<T> h = random_numbers<T>(static_cast<std::size_t>(n), 8);
      Numbers<T> y(static_cast<std::size_t>(kBatch * (n + 2)), {-7, 7}), z = x;
      Transforms rows{.n = n, .batch = kBatch, .in_distance = distance_in, .out_distance = n + 2};
      try {
        convolve(ctx, x, h, y, rows, {.use = i->name});
        rows.out_distance = distance_in;
        convolve(ctx, z, h, z, rows, {.use = i->name});
      } catch (const Unavailable&) {  // does not take such a length, and said why
        continue;
      }
      for (std::int64_t row = 0; row < kBatch; ++row) {
        const auto part = [&](const Numbers<T>& all, std::int64_t distance) {
          const auto first = all.begin() + row * distance;
          return Numbers<T>(first, first + n);
        };
        Numbers<T> one(static_cast<std::size_t>(n));
        convolve(ctx, part(x, distance_in), h, one);
        CHECK(distance(part(y, n + 2), one) < kClose<T>);
        CHECK(distance(part(z, distance_in), one) < kClose<T>);
        CHECK(y[static_cast<std::size_t>(row * (n + 2) + n)] == std::complex<T>(-7, 7));
        CHECK(z[static_cast<std::size_t>(row * distance_in + n)] ==
              x[static_cast<std::size_t>(row * distance_in + n)]);
      }
    }
  }
}

TEST_CASE("a filter that is part of the rows, and one with a NaN") {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("convolve")) {
    CAPTURE(i->name);
    const Numbers<float> x = random_numbers<float>(2 * 64);
    Numbers<float> h(x.begin(), x.begin() + 64), y(2 * 64), want(2 * 64);
    const Transforms rows{.n = 64, .batch = 2};
    convolve(ctx, x, h, want, rows);
    convolve(ctx, x, View<const std::complex<float>>{x.data(), 64}, y, rows, {.use = i->name});
    CHECK(distance(y, want) < kClose<float>);
    h[5] = {0, std::numeric_limits<float>::quiet_NaN()};
    convolve(ctx, x, h, y, rows, {.use = i->name});
    CHECK(std::ranges::none_of(y, [](auto z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }));
  }
}

TEST_CASE("arrays of a context, and a call of a known shape that allocates nothing") {
  Context ctx = Context::host();
  const Array<std::complex<float>> x(ctx, random_numbers<float>(1000)),
      h(ctx, random_numbers<float>(1000, 8));
  Array<std::complex<float>> y(ctx, x.size());
  convolve(ctx, x, h, y);
  const std::size_t before = ctx.allocations();
  const std::vector<std::complex<float>> first = y.to_vector();
  for (int i = 0; i < 3; ++i) convolve(ctx, x, h, y);
  CHECK(ctx.allocations() == before);
  CHECK(y.to_vector() == first);
}

TEST_CASE("nothing to do") {
  Context ctx = Context::host();
  Numbers<float> x(8, {1, 2}), h(8, {3, 4}), y(8, {-7, 7});
  const Numbers<float> before = y;
  const View<std::complex<float>> none{};
  convolve(ctx, x, h, y, {.n = 0, .batch = 5});
  convolve(ctx, x, h, y, {.n = 8, .batch = 0});
  convolve(ctx, none, none, none);
  convolve(ctx, none, none, none, {.n = 1 << 20, .batch = 0});
  CHECK(y == before);
}

TEST_CASE("bad convolutions") {
  Context ctx = Context::host();
  using V = View<std::complex<float>>;
  Numbers<float> x(64, {1, 2}), h(64, {3, 4}), z(64, {-7, 7});
  const V in{x.data(), 64}, filter{h.data(), 64}, out{z.data(), 64};
  const auto expect = [&](const V& from, const V& by, const V& to, const Transforms& rows,
                          const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        z, [&] { convolve(ctx, from, by, to, rows); }, parts);
  };
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{-1000}, INT64_MIN}) {
    const std::string is = " is " + std::to_string(bad);
    expect(in, filter, out, {.n = bad}, {"convolve: n" + is + "; it must be at least 0"});
    expect(in, filter, out, {.n = 8, .batch = bad}, {"convolve: batch" + is + "; it must be at least 0"});
    expect(in, filter, out, {.n = 8, .in_distance = bad},
           {"convolve: distance between rows of 'in'" + is, "at least 8"});
    expect(in, filter, out, {.n = 8, .out_distance = bad},
           {"convolve: distance between rows of 'out'" + is, "at least 8"});
  }
  expect(in, filter, out, {.n = 8, .in_distance = 7}, {"rows of 'in' is 7; it must be at least 8"});
  expect(in, filter, out, {.n = 8, .out_distance = 7}, {"rows of 'out' is 7; it must be at least 8"});
  expect(in, filter, out, {.n = 65}, {"convolve: size of 'in' is 64; it must be at least 65"});
  expect(in, filter, out, {.n = 8, .batch = 9}, {"size of 'in' is 64; it must be at least 72"});
  expect(in, filter, out, {.n = 8, .batch = 8, .in_distance = 9},
         {"size of 'in' is 64; it must be at least 71"});
  expect(in, filter, out, {.n = 8, .batch = 8, .out_distance = 9},
         {"size of 'out' is 64; it must be at least 71"});
  expect(in, filter, {z.data(), 63}, {.n = 64}, {"size of 'out' is 63; it must be at least 64"});
  for (const std::int64_t size : {0, 1, 7})
    expect(in, {h.data(), size}, out, {.n = 8, .batch = 2},
           {"convolve: size of 'filter' is " + std::to_string(size) + "; it must be at least 8"});
  for (const std::int64_t n : {INT64_MAX, INT64_MAX / 4, INT64_MAX / 8 + 1})
    expect(in, filter, out, {.n = n}, {"1 rows at a distance of", "overflow 2^63 bytes"});
  expect(in, filter, out, {.n = 2, .batch = INT64_MAX}, {"overflow 2^63 bytes"});
  expect(in, filter, out, {.n = 2, .batch = 3, .in_distance = INT64_MAX / 2}, {"'in' overflow 2^63 bytes"});
  expect(in, filter, out, {.n = 2, .batch = 3, .out_distance = INT64_MAX / 2}, {"'out' overflow 2^63 bytes"});
  for (const int scaling : {3, 7, 255})
    expect(in, filter, out, {.n = 8, .scaling = static_cast<FftScaling>(scaling)},
           {"convolve: 'scaling' is " + std::to_string(scaling), "FftScaling::inverse, unitary or none"});
  expect({nullptr, 64}, filter, out, {.n = 8}, {"convolve: 'in' is null"});
  expect(in, {nullptr, 64}, out, {.n = 8}, {"convolve: 'filter' is null"});
  expect(in, filter, {nullptr, 64}, {.n = 8}, {"convolve: 'out' is null"});
  for (const int bytes : {1, 4, 7}) {
    expect({shifted(x.data(), bytes), 8}, filter, out, {.n = 8},
           {"'in' starts at 0x", "not a multiple of its element size 8"});
    expect(in, {shifted(h.data(), bytes), 8}, out, {.n = 8},
           {"'filter' starts at 0x", "not a multiple of its element size 8"});
    expect(in, filter, {shifted(z.data(), bytes), 8}, {.n = 8},
           {"'out' starts at 0x", "not a multiple of its element size 8"});
  }
  expect(out, filter, {z.data() + 1, 63}, {.n = 8}, {"'out' overlaps 'in' by starting 8 bytes after it"});
  expect({z.data() + 3, 61}, filter, out, {.n = 8}, {"'out' overlaps 'in' by starting 24 bytes before it"});
  expect(out, filter, out, {.n = 8, .batch = 2, .out_distance = 9}, {"they must be apart"});
  expect(out, filter, out, {.n = 8, .batch = 2, .in_distance = 9}, {"they must be apart"});
  expect(in, out, out, {.n = 8}, {"'out'", "'filter'", "they must be apart"});
  expect(out, out, out, {.n = 8}, {"'out'", "'filter'", "they must be apart"});
  expect(in, {z.data() + 7, 57}, out, {.n = 8}, {"'out' overlaps 'filter' by starting 56 bytes before it"});
  expect(in, out, {z.data() + 5, 59}, {.n = 8}, {"'out' overlaps 'filter' by starting 40 bytes after it"});
  // Behind the first row, too.
  expect(in, {z.data() + 12, 8}, out, {.n = 8, .batch = 2}, {"'out' overlaps 'filter'"});
  for (const char* use : {"nothing", "custom/nothing", "fft/custom/serial", "custom", "*", "/", " "}) {
    expect_refused<InvalidArgument>(
        z, [&] { convolve(ctx, in, filter, out, {.use = use}); },
        {std::string("convolve: unknown implementation '") + use + "'", "known: custom/serial"});
  }
  expect_refused<InvalidArgument>(z, [&] { convolve(ctx, in, filter, out, {.bits = portable}); },
                                  {"convolve: bits is portable"});
  CHECK(refused_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
