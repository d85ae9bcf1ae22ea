// fft_nd by its public functions: right calls of both types, layouts and directions, known transforms, laws; odd but legal
// calls; and bad ones, each of which names operation, argument, value and limit, and leaves the output untouched.

#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>
#include <numbers>

#include "tandem/tandem.h"
#include "tests/complex_numbers.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

struct Extents {
  std::int64_t x, y, z;
  std::string str() const { return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z); }
};
constexpr Extents kGrids[] = {{1, 1, 1}, {1, 1, 8}, {5, 1, 1},  {1, 4, 4},  {3, 1, 7},  {16, 8, 1},
                              {2, 3, 5}, {8, 8, 8}, {1, 17, 9}, {64, 2, 3}, {4, 11, 32}};

}  // namespace

TEST_SUITE_BEGIN("fft_nd");

TEST_CASE_TEMPLATE("a grid is fft along each axis", T, float, double) {
  Context ctx = Context::host();
  for (const Extents& grid_size : kGrids) {
    const auto [nx, ny, nz] = grid_size;
    CAPTURE(grid_size.str());
    const std::int64_t n = nx * ny * nz;
    const Numbers<T> x = random_numbers<T>(n);
    Numbers<T> got(x.size()), want(x.size()), turned(x.size());
    fft_nd(ctx, x, got, {.extents = {nx, ny, nz}});
    // Rows of the last axis; then the axes change places until they are back.
    const std::int64_t extents[] = {nz, ny, nx};
    want = x;
    for (const std::int64_t extent : extents) {
      fft(ctx, want, want, {.n = extent, .batch = n / extent});
      const auto rows = static_cast<std::size_t>(n / extent), cols = static_cast<std::size_t>(extent);
      for (std::size_t k = 0; k < want.size(); ++k) turned[k % cols * rows + k / cols] = want[k];
      want.swap(turned);
    }
    CHECK(distance(got, want) < kClose<T>);
  }
}

TEST_CASE_TEMPLATE("an impulse is a wave in all directions", T, float, double) {
  Context ctx = Context::host();
  for (const Extents& grid_size : kGrids) {
    const auto [nx, ny, nz] = grid_size;
    CAPTURE(grid_size.str());
    const std::int64_t at[] = {nx / 2, ny / 3, nz - 1};
    Numbers<T> impulse(static_cast<std::size_t>(nx * ny * nz)), wave(impulse.size()), result(impulse.size());
    impulse[static_cast<std::size_t>((at[0] * ny + at[1]) * nz + at[2])] = 1;
    std::size_t i = 0;
    const auto turns = [](std::int64_t j, std::int64_t k, std::int64_t n) {
      return static_cast<double>(j * k % n) / static_cast<double>(n);
    };
    for (std::int64_t x = 0; x < nx; ++x) {
      for (std::int64_t y = 0; y < ny; ++y) {
        for (std::int64_t z = 0; z < nz; ++z) {
          const double turn = turns(at[0], x, nx) + turns(at[1], y, ny) + turns(at[2], z, nz);
          wave[i++] = std::complex<T>(std::polar(1.0, -2 * std::numbers::pi * turn));
        }
      }
    }
    fft_nd(ctx, impulse, result, {.extents = {nx, ny, nz}});
    CHECK(distance(result, wave) < kClose<T>);
    inverse_fft_nd(ctx, wave, result, {.extents = {nx, ny, nz}});
    CHECK(distance(result, impulse) < kClose<T>);
  }
}

TEST_CASE_TEMPLATE("there and back, and what each scaling means", T, float, double) {
  Context ctx = Context::host();
  for (const Extents& grid_size : kGrids) {
    const auto [nx, ny, nz] = grid_size;
    CAPTURE(grid_size.str());
    const std::int64_t n = nx * ny * nz;
    const Numbers<T> x = random_numbers<T>(3 * n);
    for (const FftScaling scaling : {FftScaling::inverse, FftScaling::unitary, FftScaling::none}) {
      const Grid grids{.extents = {nx, ny, nz}, .batch = 3, .scaling = scaling};
      Numbers<T> spectrum(x.size()), back(x.size());
      fft_nd(ctx, x, spectrum, grids);
      inverse_fft_nd(ctx, spectrum, back, grids);
      if (scaling == FftScaling::none) {
        for (auto& number : back) number /= static_cast<T>(n);
      }
      CHECK(distance(back, x) < kClose<T>);
      double before = 0, after = 0;
      for (const auto& number : x) before += std::norm(number);
      for (const auto& number : spectrum) after += std::norm(number);
      if (scaling != FftScaling::unitary) after /= static_cast<double>(n);
      CHECK(std::abs(after / before - 1) < kClose<T>);
    }
  }
}

TEST_CASE_TEMPLATE("every path, turned, in place and with gaps, gives what one grid at a time gives", T,
                   float, double) {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("fft_nd")) {
    CAPTURE(i->name);
    for (const Extents& grid_size : kGrids) {
      const auto [nx, ny, nz] = grid_size;
      CAPTURE(grid_size.str());
      constexpr std::int64_t kBatch = 3;
      const std::int64_t n = nx * ny * nz, line = nz + 2, sheet = ny * line + 1, grid = nx * sheet + 4;
      // Read with gaps, written column-major, grid by grid.
      const Numbers<T> x = random_numbers<T>(kBatch * grid);
      Numbers<T> y(static_cast<std::size_t>(kBatch * n), {-7, 7}), z = x;
      const PerAxis padded{sheet, line, 1}, turned{kBatch, kBatch * nx, kBatch * nx * ny};
      try {
        fft_nd(ctx, x, y,
               {.extents = {nx, ny, nz},
                .in_strides = padded,
                .out_strides = turned,
                .batch = kBatch,
                .in_distance = grid,
                .out_distance = 1},
               {.use = i->name});
        fft_nd(ctx, z, z,
               {.extents = {nx, ny, nz},
                .in_strides = padded,
                .out_strides = padded,
                .batch = kBatch,
                .in_distance = grid,
                .out_distance = grid},
               {.use = i->name});
      } catch (const Unavailable&) {  // does not take such extents, and said why
        continue;
      }
      std::vector<bool> written(z.size());
      for (std::int64_t b = 0; b < kBatch; ++b) {
        Numbers<T> one, want(static_cast<std::size_t>(n)), in_y, in_z;
        for (std::int64_t p = 0; p < nx; ++p) {
          for (std::int64_t q = 0; q < ny; ++q) {
            for (std::int64_t r = 0; r < nz; ++r) {
              const auto at = static_cast<std::size_t>(b * grid + p * sheet + q * line + r);
              one.push_back(x[at]), in_z.push_back(z[at]), written[at] = true;
              in_y.push_back(y[static_cast<std::size_t>(b + kBatch * (p + nx * (q + ny * r)))]);
            }
          }
        }
        fft_nd(ctx, one, want, {.extents = {nx, ny, nz}});
        CHECK(distance(in_y, want) < kClose<T>);
        CHECK(distance(in_z, want) < kClose<T>);
      }
      for (std::size_t at = 0; at < z.size(); ++at) CHECK((written[at] || z[at] == x[at]));
    }
  }
}

TEST_CASE("one axis with a stride: the columns of a matrix; windows that overlap") {
  Context ctx = Context::host();
  const Numbers<double> x = random_numbers<double>(12 * 10);
  Numbers<double> y(x.size()), column(12), one(12);
  fft_nd(ctx, x, y,
         {.extents = {12},
          .in_strides = {10},
          .out_strides = {10},
          .batch = 10,
          .in_distance = 1,
          .out_distance = 1});
  for (std::size_t j = 0; j < 12; ++j) one[j] = x[j * 10 + 3];
  fft(ctx, one, one);
  for (std::size_t j = 0; j < 12; ++j) column[j] = y[j * 10 + 3];
  CHECK(distance(column, one) < kClose<double>);
  // Windows of 16 numbers, each 4 behind the one before.
  Numbers<double> windows(16 * 26), window(x.begin() + 20, x.begin() + 36);
  fft_nd(ctx, x, windows, {.extents = {16}, .batch = 26, .in_distance = 4});
  fft(ctx, window, window);
  CHECK(distance(Numbers<double>(windows.begin() + 80, windows.begin() + 96), window) < kClose<double>);
}

TEST_CASE("columns that become rows with a distance that no vector of a register divides, on every path") {
  constexpr std::int64_t kLength = 64, kColumns = 12, kDistance = 73;
  Context ctx = Context::host();
  const Numbers<float> x = random_numbers<float>(kLength * kColumns);
  for (const Implementation* i : host_rows("fft_nd")) {
    CAPTURE(i->name);
    Numbers<float> y(kColumns * kDistance);
    try {
      fft_nd(ctx, x, y,
             {.extents = {kLength},
              .in_strides = {kColumns},
              .out_strides = {1},
              .batch = kColumns,
              .in_distance = 1,
              .out_distance = kDistance},
             {.use = i->name});
    } catch (const Unavailable&) {  // does not take such a case, and said why
      continue;
    }
    for (std::size_t j = 0; j < kColumns; ++j) {
      Numbers<float> one(kLength);
      for (std::size_t k = 0; k < kLength; ++k) one[k] = x[k * kColumns + j];
      fft(ctx, one, one);
      const auto begin = y.begin() + static_cast<std::ptrdiff_t>(j * kDistance);
      CHECK(distance(Numbers<float>(begin, begin + kLength), one) < kClose<float>);
    }
  }
}

TEST_CASE("arrays of a context, and a call of a known shape that allocates nothing") {
  Context ctx = Context::host();
  const Array<std::complex<float>> x(ctx, random_numbers<float>(30 * 40));
  Array<std::complex<float>> y(ctx, x.size());
  fft_nd(ctx, x, y, {.extents = {30, 40}});
  const std::size_t before = ctx.allocations();
  const std::vector<std::complex<float>> first = y.to_vector();
  for (int i = 0; i < 3; ++i) fft_nd(ctx, x, y, {.extents = {30, 40}});
  CHECK(ctx.allocations() == before);
  CHECK(y.to_vector() == first);
}

TEST_CASE("nothing to do") {
  Context ctx = Context::host();
  Numbers<float> x(8, {1, 2}), y(8, {-7, 7});
  const Numbers<float> before = y;
  fft_nd(ctx, x, y, {.extents = {0}});
  fft_nd(ctx, x, y, {.extents = {2, 0, 2}, .batch = 5});
  fft_nd(ctx, x, y, {.extents = {INT64_MAX, 0, INT64_MAX}});
  fft_nd(ctx, x, y, {.extents = {8}, .batch = 0});
  inverse_fft_nd(ctx, x, y, {.extents = {0, 3}});
  using None = View<std::complex<float>>;
  fft_nd(ctx, None{}, None{}, {.extents = {1 << 20}, .batch = 0});
  CHECK(y == before);
}

TEST_CASE("bad grids") {
  Context ctx = Context::host();
  using V = View<std::complex<float>>;
  Numbers<float> x(64, {1, 2}), z(64, {-7, 7});
  const V in{x.data(), 64}, out{z.data(), 64};
  const auto expect = [&](const V& from, const V& to, const Grid& grids,
                          const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        z, [&] { fft_nd(ctx, from, to, grids); }, parts);
    expect_refused<InvalidArgument>(
        z, [&] { inverse_fft_nd(ctx, from, to, grids); }, parts);
  };
  expect(in, out, {.extents = {}}, {"fft_nd: extents has 0 axes; it must have 1 to 3"});
  expect(in, out, {.extents = {2, 2, 2, 2}}, {"fft_nd: extents has 4 axes; it must have 1 to 3"});
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{-1000}, INT64_MIN}) {
    const std::string text = std::to_string(bad);
    expect(in, out, {.extents = {bad}}, {"fft_nd: extent of axis 0 is " + text + "; it must be at least 0"});
    expect(in, out, {.extents = {0, bad}}, {"fft_nd: extent of axis 1 is " + text});
    expect(in, out, {.extents = {8}, .batch = bad}, {"fft_nd: batch is " + text + "; it must be at least 0"});
    expect(in, out, {.extents = {4, 4}, .in_strides = {4, bad}},
           {"fft_nd: stride of axis 1 of 'in' is " + text + "; it must be at least 1"});
    expect(in, out, {.extents = {4, 4}, .out_strides = {bad, 1}}, {"stride of axis 0 of 'out' is " + text});
    expect(in, out, {.extents = {8}, .in_distance = bad},
           {"fft_nd: distance between grids of 'in' is " + text + "; it must be at least 0"});
    expect(in, out, {.extents = {8}, .out_distance = bad}, {"distance between grids of 'out' is " + text});
  }
  expect(in, out, {.extents = {4, 4}, .in_strides = {4, 0}}, {"stride of axis 1 of 'in' is 0"});
  expect(in, out, {.extents = {4, 4}, .in_strides = {4}},
         {"fft_nd: strides of 'in' are of 1 axes; they must be of 2"});
  expect(in, out, {.extents = {4, 4}, .out_strides = {4, 4, 1}}, {"strides of 'out' are of 3 axes"});
  // Two elements at one address, or perhaps.
  expect(in, out, {.extents = {4, 4}, .out_strides = {1, 1}},
         {"fft_nd: a stride or distance of 'out' is 1; it must be at least 4, past what smaller ones span"});
  expect(in, out, {.extents = {4, 4}, .out_strides = {3, 1}}, {"of 'out' is 3; it must be at least 4"});
  expect(in, out, {.extents = {2, 3, 2}, .out_strides = {2, 4, 3}}, {"of 'out' is 4; it must be at least 6"});
  expect(in, out, {.extents = {8}, .batch = 2, .out_distance = 7}, {"of 'out' is 7; it must be at least 8"});
  expect(in, out, {.extents = {8}, .out_strides = {2}, .batch = 2, .out_distance = 3},
         {"of 'out' is 3; it must be at least 15"});
  expect(in, out, {.extents = {65}}, {"fft_nd: size of 'in' is 64; it must be at least 65"});
  expect(in, out, {.extents = {5, 13}}, {"size of 'in' is 64; it must be at least 65"});
  expect(in, out, {.extents = {4, 4}, .batch = 5}, {"size of 'in' is 64; it must be at least 80"});
  expect(in, out, {.extents = {4, 4}, .in_strides = {20, 2}}, {"size of 'in' is 64; it must be at least 67"});
  expect(in, out, {.extents = {4, 4}, .out_strides = {21, 1}},
         {"size of 'out' is 64; it must be at least 67"});
  expect(in, {z.data(), 63}, {.extents = {64}}, {"size of 'out' is 63; it must be at least 64"});
  expect(in, out, {.extents = {INT64_MAX}}, {"overflow 2^63 bytes"});
  expect(in, out, {.extents = {1 << 30, 1 << 30, 1 << 30}}, {"overflow 2^63 bytes"});
  expect(in, out, {.extents = {2, 2}, .in_strides = {INT64_MAX, INT64_MAX}},
         {"the grids of 'in' overflow 2^63 bytes"});
  expect(in, out, {.extents = {2, 2}, .out_strides = {INT64_MAX / 8, 1}},
         {"the grids of 'out' overflow 2^63 bytes"});
  expect(in, out, {.extents = {2}, .batch = INT64_MAX}, {"overflow 2^63 bytes"});
  expect(in, out, {.extents = {2}, .batch = 3, .in_distance = INT64_MAX / 2}, {"overflow 2^63 bytes"});
  expect(in, out, {.extents = {8}, .scaling = static_cast<FftScaling>(3)},
         {"fft_nd: 'scaling' is 3; it must be FftScaling::inverse, unitary or none"});
  expect({nullptr, 64}, out, {.extents = {8}}, {"'in' is null"});
  expect(in, {nullptr, 64}, {.extents = {8}}, {"'out' is null"});
  for (const int bytes : {1, 4, 7}) {
    expect({shifted(x.data(), bytes), 8}, out, {.extents = {8}},
           {"'in' starts at 0x", "not a multiple of its element size"});
    expect(in, {shifted(z.data(), bytes), 8}, {.extents = {8}}, {"'out' starts at 0x"});
  }
  expect(out, {z.data() + 1, 63}, {.extents = {8}}, {"'out' overlaps 'in' by starting 8 bytes after it"});
  expect({z.data() + 3, 61}, out, {.extents = {2, 4}},
         {"'out' overlaps 'in' by starting 24 bytes before it"});
  expect(out, out, {.extents = {4, 4}, .in_strides = {1, 4}}, {"they must be apart"});
  expect(out, out, {.extents = {4}, .batch = 2, .out_distance = 9}, {"they must be apart"});
  for (const char* use : {"nothing", "custom/nothing", "fft/custom/serial", "custom", "*", "/", " "}) {
    expect_refused<InvalidArgument>(
        z, [&] { fft_nd(ctx, in, out, {.extents = {8}}, {.use = use}); },
        {std::string("fft_nd: unknown implementation '") + use + "'", "known: custom/serial"});
  }
  expect_refused<InvalidArgument>(z, [&] { fft_nd(ctx, in, out, {.extents = {8}}, {.bits = portable}); },
                                  {"fft_nd: bits is portable"});
  CHECK(refused_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
