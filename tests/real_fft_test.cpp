// real_fft by its public functions: right calls of both types, layouts and directions, known transforms, laws; odd but legal
// calls; and bad ones, each of which names operation, argument, value and limit, and leaves the output untouched.

#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>
#include <numbers>

#include "lib/core/random_bits.h"
#include "tandem/tandem.h"
#include "tests/complex_numbers.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

template <class T>
std::vector<T> random_reals(std::size_t n, std::uint64_t seed = 7) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<T>(static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-52 - 1);
  return x;
}

constexpr std::size_t kLengths[] = {1,  2,  3,  4,   5,   7,   8,   11,   16,  22,
                                    30, 64, 97, 100, 194, 210, 256, 1000, 1031};

}  // namespace

TEST_SUITE_BEGIN("real_fft");

TEST_CASE_TEMPLATE("a row is what fft makes of it as complex numbers, and comes back", T, float, double) {
  Context ctx = Context::host();
  for (const std::size_t n : kLengths) {
    CAPTURE(n);
    const std::vector<T> x = random_reals<T>(n);
    const Numbers<T> complex(x.begin(), x.end());
    Numbers<T> whole(n), half(n / 2 + 1);
    fft(ctx, complex, whole);
    whole.resize(n / 2 + 1);
    real_fft(ctx, x, half);
    CHECK(distance(half, whole) < kClose<T>);
    CHECK(half[0].imag() == 0);
    if (n % 2 == 0) CHECK(half[n / 2].imag() == 0);
    std::vector<T> back(n);
    inverse_real_fft(ctx, half, back);
    CHECK(distance(back, x) < kClose<T>);
  }
}

TEST_CASE("cosines and sines are peaks") {
  Context ctx = Context::host();
  for (const std::size_t n : {std::size_t{12}, std::size_t{31}, std::size_t{128}}) {
    for (const std::size_t k : {std::size_t{1}, n / 3}) {
      std::vector<double> wave(n);
      for (std::size_t j = 0; j < n; ++j) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
        wave[j] = 2 * std::cos(angle) + 4 * std::sin(angle);
      }
      Numbers<double> spectrum(n / 2 + 1), peak(n / 2 + 1);
      peak[k] = static_cast<double>(n) * std::complex<double>(1, -2);
      real_fft(ctx, wave, spectrum);
      CHECK(distance(spectrum, peak) < kClose<double>);
      std::vector<double> back(n);
      inverse_real_fft(ctx, peak, back);
      CHECK(distance(back, wave) < kClose<double>);
    }
  }
}

TEST_CASE_TEMPLATE("what each scaling means", T, float, double) {
  Context ctx = Context::host();
  for (const std::size_t n : kLengths) {
    CAPTURE(n);
    const std::vector<T> x = random_reals<T>(3 * n);
    for (const FftScaling scaling : {FftScaling::inverse, FftScaling::unitary, FftScaling::none}) {
      const Transforms rows{.n = static_cast<std::int64_t>(n), .batch = 3, .scaling = scaling};
      Numbers<T> spectra(3 * (n / 2 + 1));
      std::vector<T> back(x.size());
      real_fft(ctx, x, spectra, rows);
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += static_cast<double>(x[j]);
      const double scale = scaling == FftScaling::unitary ? 1 / std::sqrt(static_cast<double>(n)) : 1;
      CHECK(std::abs(static_cast<double>(spectra[0].real()) - sum * scale) <
            kClose<T> * std::sqrt(static_cast<double>(n)));
      inverse_real_fft(ctx, spectra, back, rows);
      if (scaling == FftScaling::none) {
        for (T& number : back) number /= static_cast<T>(n);
      }
      CHECK(distance(back, x) < kClose<T>);
    }
  }
}

TEST_CASE_TEMPLATE("every path, in place as FFTW pads and with gaps, gives what one row at a time gives", T,
                   float, double) {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("real_fft")) {
    CAPTURE(i->name);
    for (const std::int64_t n : {1, 2, 8, 15, 30, 64, 77, 154, 512}) {
      CAPTURE(n);
      constexpr std::int64_t kBatch = 3;
      const std::int64_t spectrum = n / 2 + 1, real_distance = n + 5, complex_distance = spectrum + 2;
      const std::vector<T> x = random_reals<T>(static_cast<std::size_t>(kBatch * real_distance));
      Numbers<T> y(static_cast<std::size_t>(kBatch * complex_distance), {-7, 7});
      std::vector<T> back(x.size(), -7), padded(static_cast<std::size_t>(kBatch * 2 * spectrum));
      for (std::int64_t row = 0; row < kBatch; ++row)
        std::copy_n(x.begin() + row * real_distance, n, padded.begin() + row * 2 * spectrum);
      const View<std::complex<T>> in_place{reinterpret_cast<std::complex<T>*>(padded.data()),
                                           kBatch * spectrum};
      Numbers<T> spectra;
      try {
        const Options use{.use = i->name};
        real_fft(ctx, x, y,
                 {.n = n, .batch = kBatch, .in_distance = real_distance, .out_distance = complex_distance},
                 use);
        real_fft(ctx, padded, in_place, {.n = n, .batch = kBatch, .in_distance = 2 * spectrum}, use);
        spectra.assign(in_place.data, in_place.data + in_place.size);
        inverse_real_fft(
            ctx, y, back,
            {.n = n, .batch = kBatch, .in_distance = complex_distance, .out_distance = real_distance}, use);
        inverse_real_fft(ctx, in_place, padded, {.n = n, .batch = kBatch, .out_distance = 2 * spectrum}, use);
      } catch (const Unavailable&) {  // does not take such a length, and said why
        continue;
      }
      for (std::int64_t row = 0; row < kBatch; ++row) {
        const auto part = [&](const auto& all, std::int64_t distance, std::int64_t size) {
          const auto first = all.begin() + row * distance;
          return std::vector(first, first + size);
        };
        const std::vector<T> real = part(x, real_distance, n);
        Numbers<T> one(static_cast<std::size_t>(spectrum));
        real_fft(ctx, real, one);
        CHECK(distance(part(y, complex_distance, spectrum), one) < kClose<T>);
        CHECK(distance(part(spectra, spectrum, spectrum), one) < kClose<T>);
        CHECK(distance(part(back, real_distance, n), real) < kClose<T>);
        CHECK(distance(part(padded, 2 * spectrum, n), real) < kClose<T>);
        CHECK(y[static_cast<std::size_t>(row * complex_distance + spectrum)] == std::complex<T>(-7, 7));
        CHECK(back[static_cast<std::size_t>(row * real_distance + n)] == -7);
      }
    }
  }
}

TEST_CASE("imaginary parts that stand for nothing are not looked at") {
  Context ctx = Context::host();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const Implementation* i : host_rows("real_fft")) {
    CAPTURE(i->name);
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{64}}) {
      Numbers<float> spectrum(n / 2 + 1, {1, 0});  // of a 1 and zeros
      spectrum[0] = {1, kNan};
      if (n % 2 == 0) spectrum[n / 2] = {1, kNan};
      std::vector<float> back(n), impulse(n);
      impulse[0] = 1;
      try {
        inverse_real_fft(ctx, spectrum, back, {.use = i->name});
      } catch (const Unavailable&) {
        continue;
      }
      CHECK(distance(back, impulse) < kClose<float>);
    }
  }
}

TEST_CASE("arrays of a context, and a call of a known shape that allocates nothing") {
  Context ctx = Context::host();
  const Array<float> x(ctx, random_reals<float>(1000));
  Array<std::complex<float>> y(ctx, 501);
  real_fft(ctx, x, y);
  const std::size_t before = ctx.allocations();
  const std::vector<std::complex<float>> first = y.to_vector();
  for (int i = 0; i < 3; ++i) real_fft(ctx, x, y);
  CHECK(ctx.allocations() == before);
  CHECK(y.to_vector() == first);
}

TEST_CASE("nothing to do") {
  Context ctx = Context::host();
  std::vector<float> x(8, 1);
  Numbers<float> y(8, {-7, 7});
  const Numbers<float> before = y;
  const std::vector<float> x_before = x;
  real_fft(ctx, x, y, {.n = 0, .batch = 5});
  real_fft(ctx, x, y, {.n = 8, .batch = 0});
  inverse_real_fft(ctx, y, x, {.n = 0});
  inverse_real_fft(ctx, y, x, {.n = 8, .batch = 0});
  real_fft(ctx, View<float>{}, View<std::complex<float>>{});
  real_fft(ctx, View<float>{}, View<std::complex<float>>{}, {.n = 1 << 20, .batch = 0});
  CHECK(y == before);
  CHECK(x == x_before);
}

TEST_CASE("bad transforms") {
  Context ctx = Context::host();
  Numbers<float> y(33, {-7, 7});
  std::vector<float> x(64, 1);
  const View<float> reals{x.data(), 64};
  const View<std::complex<float>> numbers{y.data(), 33};
  const auto forward = [&](const View<float>& in, const View<std::complex<float>>& out,
                           const Transforms& rows, const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        y, [&] { real_fft(ctx, in, out, rows); }, parts);
  };
  const auto back = [&](const View<std::complex<float>>& in, const View<float>& out, const Transforms& rows,
                        const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        x, [&] { inverse_real_fft(ctx, in, out, rows); }, parts);
  };
  const auto both = [&](const Transforms& rows, const std::vector<std::string>& parts) {
    forward(reals, numbers, rows, parts);
    back(numbers, reals, rows, parts);
  };
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{-1000}, INT64_MIN}) {
    both({.n = bad}, {"real_fft: n is " + std::to_string(bad) + "; it must be at least 0"});
    both({.n = 8, .batch = bad}, {"real_fft: batch is " + std::to_string(bad) + "; it must be at least 0"});
    both({.n = 8, .in_distance = bad},
         {"real_fft: distance between rows of 'in' is " + std::to_string(bad), "at least "});
    both({.n = 8, .out_distance = bad}, {"distance between rows of 'out' is " + std::to_string(bad)});
  }
  forward(reals, numbers, {.n = 8, .in_distance = 7}, {"rows of 'in' is 7; it must be at least 8"});
  forward(reals, numbers, {.n = 8, .out_distance = 4}, {"rows of 'out' is 4; it must be at least 5"});
  back(numbers, reals, {.n = 9, .in_distance = 4}, {"rows of 'in' is 4; it must be at least 5"});
  back(numbers, reals, {.n = 9, .out_distance = 8}, {"rows of 'out' is 8; it must be at least 9"});
  forward(reals, numbers, {.n = 65}, {"real_fft: size of 'in' is 64; it must be at least 65"});
  forward(reals, {y.data(), 32}, {.n = 64}, {"size of 'out' is 32; it must be at least 33"});
  forward(reals, numbers, {.n = 8, .batch = 7}, {"size of 'out' is 33; it must be at least 35"});
  back({y.data(), 32}, reals, {.n = 64}, {"size of 'in' is 32; it must be at least 33"});
  back(numbers, {x.data(), 63}, {.n = 64}, {"size of 'out' is 63; it must be at least 64"});
  both({.n = INT64_MAX}, {"overflow 2^63 bytes"});
  both({.n = INT64_MAX / 4}, {"overflow 2^63 bytes"});
  both({.n = 2, .batch = INT64_MAX}, {"overflow 2^63 bytes"});
  both({.n = 2, .batch = 3, .in_distance = INT64_MAX / 2}, {"overflow 2^63 bytes"});
  both({.n = 8, .scaling = static_cast<FftScaling>(3)},
       {"real_fft: 'scaling' is 3; it must be FftScaling::inverse, unitary or none"});
  forward({nullptr, 64}, numbers, {.n = 8}, {"'in' is null"});
  forward(reals, {nullptr, 64}, {.n = 8}, {"'out' is null"});
  for (const int bytes : {1, 2, 3})
    forward({shifted(x.data(), bytes), 8}, numbers, {.n = 8},
            {"'in' starts at 0x", "not a multiple of its element size 4"});
  for (const int bytes : {1, 4, 7}) {
    forward(reals, {shifted(y.data(), bytes), 8}, {.n = 8}, {"'out' starts at 0x", "element size 8"});
    back({shifted(y.data(), bytes), 8}, reals, {.n = 8}, {"'in' starts at 0x", "element size 8"});
  }
  const View<float> over{reinterpret_cast<float*>(y.data()), 66};  // the memory of the complex numbers
  forward({over.data + 1, 65}, numbers, {.n = 8}, {"'out' overlaps 'in' by starting 4 bytes before it"});
  forward(over, {y.data() + 1, 32}, {.n = 8}, {"'out' overlaps 'in' by starting 8 bytes after it"});
  // In place rows must lie at the same places on both sides: those of 8 reals lie 10 apart.
  forward(over, numbers, {.n = 8, .batch = 2}, {"they must be apart"});
  forward(over, numbers, {.n = 8, .batch = 2, .in_distance = 11}, {"they must be apart"});
  forward(over, numbers, {.n = 8, .batch = 2, .in_distance = 10, .out_distance = 6}, {"they must be apart"});
  back(numbers, over, {.n = 8, .batch = 2}, {"they must be apart"});
  for (const char* use : {"nothing", "custom/nothing", "fft/custom/serial", "custom", "*", "/", " "}) {
    expect_refused<InvalidArgument>(
        y, [&] { real_fft(ctx, reals, numbers, {.n = 8}, {.use = use}); },
        {std::string("real_fft: unknown implementation '") + use + "'", "known: custom/serial"});
  }
  expect_refused<InvalidArgument>(y, [&] { real_fft(ctx, reals, numbers, {.bits = portable}); },
                                  {"real_fft: bits is portable"});
  CHECK(refused_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
