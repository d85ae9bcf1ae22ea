// fft by its public functions: right calls of both types, layouts and directions, known transforms, laws; odd but legal
// calls; and bad ones, each of which names operation, argument, value and limit, and leaves the output untouched.

#include <climits>
#include <cmath>
#include <complex>
#include <numbers>

#include "lib/harness/fourier.h"
#include "tandem/tandem.h"
#include "tests/complex_numbers.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr std::size_t kLengths[] = {1, 2, 3, 4, 5, 7, 8, 11, 16, 30, 64, 97, 100, 210, 256, 1000, 1024, 1031};

}  // namespace

TEST_SUITE_BEGIN("fft");

TEST_CASE_TEMPLATE("known transforms", T, float, double) {
  Context ctx = Context::host();
  for (const std::size_t n : kLengths) {
    CAPTURE(n);
    // Of a 1 at j the powers of a root; of such powers a peak.
    for (const std::size_t j : {std::size_t{0}, n / 3, n - 1}) {
      Numbers<T> impulse(n), wave(n), result(n);
      impulse[j] = 1;
      for (std::size_t k = 0; k < n; ++k) {
        wave[k] = std::complex<T>(
            std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n)));
      }
      fft(ctx, impulse, result);
      CHECK(distance(result, wave) < kClose<T>);
      inverse_fft(ctx, wave, result);
      CHECK(distance(result, impulse) < kClose<T>);
    }
  }
}

TEST_CASE_TEMPLATE("what results are compared with is the definition, for large primes, too", T, double,
                   long double) {
  for (const std::size_t n : {1, 2, 3, 12, 61, 67, 134, 201, 1009, 67 * 71}) {
    CAPTURE(n);
    std::vector<Complex<T>> x(n);
    T norm = 0;
    for (std::size_t j = 0; j < n; ++j) {
      x[j] = {std::cos(T(j * j % 101)), std::sin(T(3 * j))};
      norm += x[j].re * x[j].re + x[j].im * x[j].im;
    }
    const std::vector<Complex<T>> got = Reference<T>(static_cast<std::int64_t>(n))(x);
    for (std::size_t k = 0; k < n; k += 1 + n / 50) {
      long double re = 0, im = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) /
                                  static_cast<long double>(n);
        re += x[j].re * std::cos(angle) - x[j].im * std::sin(angle);
        im += x[j].re * std::sin(angle) + x[j].im * std::cos(angle);
      }
      const T allowed = 40 * std::numeric_limits<T>::epsilon() * std::sqrt(norm * T(n));
      CHECK(std::fabs(got[k].re - T(re)) <= allowed);
      CHECK(std::fabs(got[k].im - T(im)) <= allowed);
    }
  }
}

TEST_CASE_TEMPLATE("there and back, and what each scaling means", T, float, double) {
  Context ctx = Context::host();
  for (const std::size_t n : kLengths) {
    CAPTURE(n);
    const Numbers<T> x = random_numbers<T>(3 * n);
    const auto length = static_cast<std::int64_t>(n);
    for (const FftScaling scaling : {FftScaling::inverse, FftScaling::unitary, FftScaling::none}) {
      const Transforms rows{.n = length, .batch = 3, .scaling = scaling};
      Numbers<T> spectrum(x.size()), back(x.size());
      fft(ctx, x, spectrum, rows);
      inverse_fft(ctx, spectrum, back, rows);
      if (scaling == FftScaling::none) {
        for (auto& number : back) number /= static_cast<T>(n);
      }
      CHECK(distance(back, x) < kClose<T>);
      // Parseval: a unitary transform keeps the norm, others multiply it by the root of n.
      double before = 0, after = 0;
      for (const auto& number : x) before += std::norm(number);
      for (const auto& number : spectrum) after += std::norm(number);
      if (scaling != FftScaling::unitary) after /= static_cast<double>(n);
      CHECK(std::abs(after / before - 1) < kClose<T>);
    }
  }
}

TEST_CASE_TEMPLATE("every path, in place and with gaps, gives what one row at a time gives", T, float,
                   double) {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("fft")) {
    CAPTURE(i->name);
    for (const std::int64_t n : {1, 8, 15, 64, 77, 512}) {
      CAPTURE(n);
      constexpr std::int64_t kBatch = 3;
      const std::int64_t distance_in = n + 5;
      const Numbers<T> x = random_numbers<T>(static_cast<std::size_t>(kBatch * distance_in));
      Numbers<T> y(static_cast<std::size_t>(kBatch * (n + 2)), {-7, 7}), z = x;
      const Transforms rows{.n = n, .batch = kBatch, .in_distance = distance_in, .out_distance = n + 2};
      try {
        fft(ctx, x, y, rows, {.use = i->name});
        fft(ctx, z, z, {.n = n, .batch = kBatch, .in_distance = distance_in, .out_distance = distance_in},
            {.use = i->name});
      } catch (const Unavailable&) {  // does not take such a length, and said why
        continue;
      }
      for (std::int64_t row = 0; row < kBatch; ++row) {
        const auto part = [&](const Numbers<T>& all, std::int64_t distance) {
          const auto first = all.begin() + row * distance;
          return Numbers<T>(first, first + n);
        };
        Numbers<T> one(static_cast<std::size_t>(n));
        fft(ctx, part(x, distance_in), one);
        CHECK(distance(part(y, n + 2), one) < kClose<T>);
        CHECK(distance(part(z, distance_in), one) < kClose<T>);
        CHECK(y[static_cast<std::size_t>(row * (n + 2) + n)] == std::complex<T>(-7, 7));
        CHECK(z[static_cast<std::size_t>(row * distance_in + n)] ==
              x[static_cast<std::size_t>(row * distance_in + n)]);
      }
    }
  }
}

TEST_CASE_TEMPLATE("blocks that take one row after the other", T, float, double) {
  constexpr std::int64_t kLength = 1024, kBatch = 70;  // more than blocks that run at once
  Context ctx = Context::host();
  const Numbers<T> x = random_numbers<T>(kLength * kBatch);
  Numbers<T> want(x.size());
  fft(ctx, x, want, {.n = kLength, .batch = kBatch});
  for (const Implementation* i : host_rows("fft")) {
    if (i->name != "fft/custom/staged@simt" && i->name != "fft/custom/tiles@simt") continue;
    CAPTURE(i->name);
    Numbers<T> got = x;
    fft(ctx, got, got, {.n = kLength, .batch = kBatch}, {.use = i->name});
    CHECK(distance(got, want) < kClose<T>);
  }
}

TEST_CASE_TEMPLATE("few long rows have the bits of one thread, however many share the parts of each", T,
                   float, double) {
  Context ctx = Context::host();
  for (const std::int64_t n : {729, 3375, 32768, 36000, 59049}) {  // odd ones do not fill all vectors
    for (const std::int64_t batch : {1, 2, 3}) {
      CAPTURE(n);
      CAPTURE(batch);
      const Numbers<T> x = random_numbers<T>(static_cast<std::size_t>(n * batch));
      Numbers<T> right(x.size()), out(x.size()), in_place = x;
      const Transforms rows{.n = n, .batch = batch};
      fft(ctx, x, right, rows, {.use = "fft/custom/lanes"});
      fft(ctx, x, out, rows, {.use = "fft/custom/threads"});
      fft(ctx, in_place, in_place, rows, {.use = "fft/custom/threads"});
      CHECK(out == right);
      CHECK(in_place == right);
      fft(ctx, x, out, rows, {.use = "fft/custom/stockham"});
      CHECK(distance(out, right) < kClose<T>);
    }
  }
}

// They are copied on their way into vectors and back; a batch that fills the last vector or does not, rows side by side or apart.
TEST_CASE_TEMPLATE("short rows of large arrays have the bits of few such rows", T, float, double) {
  Context ctx = Context::host();
  for (const std::int64_t n : {32, 64, 99, 100}) {
    for (const std::int64_t gap : {0, 3}) {
      CAPTURE(n);
      CAPTURE(gap);
      const std::int64_t batch = (std::int64_t{3} << 20) / (n * static_cast<std::int64_t>(sizeof(T))) + 5;
      const std::int64_t distance = n + gap;
      const Numbers<T> x = random_numbers<T>(static_cast<std::size_t>(batch * distance));
      Numbers<T> out(x.size()), in_place = x, few(x.size());
      Transforms rows{.n = n, .batch = batch, .in_distance = distance, .out_distance = distance};
      fft(ctx, x, out, rows, {.use = "fft/custom/lanes"});
      fft(ctx, in_place, in_place, rows, {.use = "fft/custom/threads"});
      rows.batch = 64;  // of 106 KB at most
      for (std::int64_t first = 0; first < batch; first += rows.batch) {
        const std::int64_t count = std::min<std::int64_t>(rows.batch, batch - first) * distance;
        rows.batch = count / distance;
        fft(ctx, View<const std::complex<T>>{x.data() + first * distance, count},
            View<std::complex<T>>{few.data() + first * distance, count}, rows, {.use = "fft/custom/lanes"});
      }
      std::int64_t wrong = 0;
      for (std::int64_t row = 0; row < batch; ++row) {
        for (std::int64_t k = 0; k < n; ++k) {
          const auto i = static_cast<std::size_t>(row * distance + k);
          wrong += out[i] != few[i] || in_place[i] != few[i];
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("arrays of a context, and a call of a known shape that allocates nothing") {
  Context ctx = Context::host();
  const Array<std::complex<float>> x(ctx, random_numbers<float>(1000));
  Array<std::complex<float>> y(ctx, x.size());
  fft(ctx, x, y);
  const std::size_t before = ctx.allocations();
  const std::vector<std::complex<float>> first = y.to_vector();
  for (int i = 0; i < 3; ++i) fft(ctx, x, y);
  CHECK(ctx.allocations() == before);
  CHECK(y.to_vector() == first);
}

TEST_CASE("nothing to do") {
  Context ctx = Context::host();
  Numbers<float> x(8, {1, 2}), y(8, {-7, 7});
  const Numbers<float> before = y;
  fft(ctx, x, y, {.n = 0, .batch = 5});
  fft(ctx, x, y, {.n = 8, .batch = 0});
  inverse_fft(ctx, x, y, {.n = 0});
  fft(ctx, View<std::complex<float>>{}, View<std::complex<float>>{});
  fft(ctx, View<std::complex<float>>{}, View<std::complex<float>>{}, {.n = 1 << 20, .batch = 0});
  CHECK(y == before);
}

TEST_CASE("the definition refuses what takes minutes") {
  Context ctx = Context::host();
  const Numbers<float> x(100'000);
  Numbers<float> z(100'000, {-7, 7});
  const std::vector<std::string> parts{"would take 10000000000 steps by the definition; it takes up to 2^32"};
  expect_refused<Unavailable>(
      z, [&] { fft(ctx, x, z, {.use = "fft/custom/serial"}); }, parts);
  expect_refused<Unavailable>(
      z,
      [&] {
        fft_nd(ctx, x, z, Grid{.extents = {1, 100'000}}, {.use = "fft_nd/custom/serial"});
      },
      {"steps by the definition; it takes up to 2^32"});
  std::vector<float> reals(100'000);
  expect_refused<Unavailable>(
      z, [&] { real_fft(ctx, reals, z, {.use = "real_fft/custom/serial"}); }, parts);
}

TEST_CASE("bad transforms") {
  Context ctx = Context::host();
  using V = View<std::complex<float>>;
  Numbers<float> x(64, {1, 2}), z(64, {-7, 7});
  const V in{x.data(), 64}, out{z.data(), 64};
  const auto expect = [&](const V& from, const V& to, const Transforms& rows,
                          const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        z, [&] { fft(ctx, from, to, rows); }, parts);
    expect_refused<InvalidArgument>(
        z, [&] { inverse_fft(ctx, from, to, rows); }, parts);
  };
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{-1000}, INT64_MIN}) {
    expect(in, out, {.n = bad}, {"fft: n is " + std::to_string(bad) + "; it must be at least 0"});
    expect(in, out, {.n = 8, .batch = bad},
           {"fft: batch is " + std::to_string(bad) + "; it must be at least 0"});
    expect(in, out, {.n = 8, .in_distance = bad},
           {"fft: distance between rows of 'in' is " + std::to_string(bad), "at least 8"});
    expect(in, out, {.n = 8, .out_distance = bad},
           {"distance between rows of 'out' is " + std::to_string(bad)});
  }
  expect(in, out, {.n = 8, .in_distance = 7}, {"distance between rows of 'in' is 7; it must be at least 8"});
  expect(in, out, {.n = 65}, {"fft: size of 'in' is 64; it must be at least 65"});
  expect(in, out, {.n = 8, .batch = 9}, {"size of 'in' is 64; it must be at least 72"});
  expect(in, out, {.n = 8, .batch = 8, .in_distance = 9}, {"size of 'in' is 64; it must be at least 71"});
  expect(in, out, {.n = 8, .batch = 8, .out_distance = 9}, {"size of 'out' is 64; it must be at least 71"});
  expect(in, {z.data(), 63}, {.n = 64}, {"size of 'out' is 63; it must be at least 64"});
  expect(in, out, {.n = INT64_MAX}, {"overflow 2^63 bytes"});
  expect(in, out, {.n = 2, .batch = INT64_MAX, .in_distance = 2}, {"overflow 2^63 bytes"});
  expect(in, out, {.n = 2, .batch = 3, .in_distance = INT64_MAX / 2}, {"overflow 2^63 bytes"});
  expect(in, out, {.n = 8, .scaling = static_cast<FftScaling>(3)},
         {"fft: 'scaling' is 3; it must be FftScaling::inverse, unitary or none"});
  expect({nullptr, 64}, out, {.n = 8}, {"'in' is null"});
  expect(in, {nullptr, 64}, {.n = 8}, {"'out' is null"});
  for (const int bytes : {1, 4, 7}) {
    expect({shifted(x.data(), bytes), 8}, out, {.n = 8},
           {"'in' starts at 0x", "not a multiple of its element size"});
    expect(in, {shifted(z.data(), bytes), 8}, {.n = 8}, {"'out' starts at 0x"});
  }
  expect({z.data(), 64}, {z.data() + 1, 63}, {.n = 8}, {"'out' overlaps 'in' by starting 8 bytes after it"});
  expect({z.data() + 3, 61}, {z.data(), 64}, {.n = 8},
         {"'out' overlaps 'in' by starting 24 bytes before it"});
  expect({z.data(), 64}, {z.data(), 64}, {.n = 8, .batch = 2, .out_distance = 9}, {"they must be apart"});
  for (const char* use : {"nothing", "custom/nothing", "gemm/custom/serial", "custom", "*", "/", " "}) {
    expect_refused<InvalidArgument>(
        z, [&] { fft(ctx, in, out, {.use = use}); },
        {std::string("fft: unknown implementation '") + use + "'", "known: custom/serial"});
  }
  expect_refused<InvalidArgument>(z, [&] { fft(ctx, in, out, {.bits = portable}); },
                                  {"fft: bits is portable"});
  CHECK(refused_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
