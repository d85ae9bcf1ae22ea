// real_fft_nd by its public functions: right calls of both types, layouts and directions against fft_nd, known transforms, laws; odd
// but legal calls; and bad ones, each of which names operation, argument, value and limit, and leaves the output untouched.

#include <climits>
#include <cmath>
#include <complex>

#include "tandem/tandem.h"
#include "tests/complex_numbers.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

struct Extents {
  std::int64_t x, y, z;
  std::int64_t points() const { return x * y * z; }
  std::int64_t stored() const { return z / 2 + 1; }
  std::int64_t numbers() const { return x * y * stored(); }
  std::string str() const { return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z); }
};
constexpr Extents kGrids[] = {{1, 1, 1},  {1, 1, 2}, {1, 1, 8},   {5, 1, 1}, {2, 2, 1},
                              {1, 4, 4},  {3, 1, 7}, {16, 8, 2},  {2, 3, 5}, {8, 8, 16},
                              {1, 17, 9}, {6, 2, 3}, {4, 11, 32}, {3, 5, 22}};

template <class T>
std::vector<T> random_reals(std::int64_t n) {
  std::vector<T> x;
  for (const std::complex<T>& number : random_numbers<T>(n)) x.push_back(number.real());
  return x;
}

/// Of a whole spectrum what is stored of a real grid's.
template <class T>
Numbers<T> stored_part(const Numbers<T>& whole, const Extents& e) {
  Numbers<T> part;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (static_cast<std::int64_t>(i) % e.z < e.stored()) part.push_back(whole[i]);
  }
  return part;
}
template <class T>
Numbers<T> complex_spectrum(Context& ctx, const std::vector<T>& x, const Extents& e) {
  Numbers<T> all(x.begin(), x.end());
  fft_nd(ctx, all, all, {.extents = {e.x, e.y, e.z}});
  return stored_part(all, e);
}

}  // namespace

TEST_SUITE_BEGIN("real_fft_nd");

TEST_CASE_TEMPLATE("of a real grid it is what fft_nd gives, up to the middle", T, float, double) {
  Context ctx = Context::host();
  for (const Extents& e : kGrids) {
    CAPTURE(e.str());
    const std::vector<T> x = random_reals<T>(e.points());
    Numbers<T> got(static_cast<std::size_t>(e.numbers()));
    real_fft_nd(ctx, x, got, {.extents = {e.x, e.y, e.z}});
    CHECK(distance(got, complex_spectrum(ctx, x, e)) < kClose<T>);
    std::vector<T> back(x.size());
    inverse_real_fft_nd(ctx, got, back, {.extents = {e.x, e.y, e.z}});
    CHECK(distance(back, x) < kClose<T>);
  }
}

TEST_CASE_TEMPLATE("of one axis it is real_fft", T, float, double) {
  Context ctx = Context::host();
  for (const std::int64_t n : {1, 2, 7, 64, 100}) {
    const std::vector<T> x = random_reals<T>(3 * n);
    Numbers<T> got(static_cast<std::size_t>(3 * (n / 2 + 1))), want(got.size());
    real_fft_nd(ctx, x, got, {.extents = {n}, .batch = 3});
    real_fft(ctx, x, want, {.n = n, .batch = 3});
    CHECK(distance(got, want) < kClose<T>);
  }
}

TEST_CASE_TEMPLATE("an impulse in the middle is a chessboard; back, too", T, float, double) {
  Context ctx = Context::host();
  constexpr Extents e{4, 6, 8};
  std::vector<T> x(e.points()), back(x.size());
  x[(2 * 6 + 3) * 8 + 4] = 1;
  Numbers<T> board, got(e.numbers());
  for (int p = 0; p < 4; ++p) {
    for (int q = 0; q < 6; ++q) {
      for (int r = 0; r <= 4; ++r) board.emplace_back((p + q + r) % 2 ? -1 : 1);
    }
  }
  real_fft_nd(ctx, x, got, {.extents = {4, 6, 8}});
  CHECK(distance(got, board) < kClose<T>);
  inverse_real_fft_nd(ctx, board, back, {.extents = {4, 6, 8}});
  CHECK(distance(back, x) < kClose<T>);
}

TEST_CASE_TEMPLATE("what each scaling means, and what stays of the norm", T, float, double) {
  Context ctx = Context::host();
  for (const Extents& e : kGrids) {
    CAPTURE(e.str());
    const std::vector<T> x = random_reals<T>(2 * e.points());
    for (const FftScaling scaling : {FftScaling::inverse, FftScaling::unitary, FftScaling::none}) {
      const Grid grids{.extents = {e.x, e.y, e.z}, .batch = 2, .scaling = scaling};
      Numbers<T> spectrum(static_cast<std::size_t>(2 * e.numbers()));
      std::vector<T> back(x.size());
      real_fft_nd(ctx, x, spectrum, grids);
      inverse_real_fft_nd(ctx, spectrum, back, grids);
      if (scaling == FftScaling::none) {
        for (T& number : back) number /= static_cast<T>(e.points());
      }
      CHECK(distance(back, x) < kClose<T>);
      double before = 0, after = 0;
      for (const T number : x) before += static_cast<double>(number) * static_cast<double>(number);
      for (std::size_t i = 0; i < spectrum.size(); ++i) {
        const std::int64_t r = static_cast<std::int64_t>(i) % e.stored();
        after += (r == 0 || 2 * r == e.z ? 1 : 2) * std::norm(spectrum[i]);
      }
      if (scaling != FftScaling::unitary) after /= static_cast<double>(e.points());
      CHECK(std::abs(after / before - 1) < kClose<T>);
    }
  }
}

// What no real grid has: the result is the real part of that of the whole spectrum.
TEST_CASE_TEMPLATE("planes that are no conjugates of themselves, on every path", T, float, double) {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("real_fft_nd")) {
    CAPTURE(i->name);
    for (const Extents& e : kGrids) {
      CAPTURE(e.str());
      const Numbers<T> given = random_numbers<T>(e.numbers());
      Numbers<T> whole(static_cast<std::size_t>(e.points()));
      std::size_t at = 0;
      for (std::int64_t p = 0; p < e.x; ++p) {
        for (std::int64_t q = 0; q < e.y; ++q) {
          for (std::int64_t r = 0; r < e.z; ++r) {
            const bool stored = r < e.stored();
            const std::int64_t x = stored ? p : (e.x - p) % e.x, y = stored ? q : (e.y - q) % e.y,
                               z = stored ? r : e.z - r;
            const std::complex<T> number = given[static_cast<std::size_t>((x * e.y + y) * e.stored() + z)];
            whole[at++] = stored ? number : std::conj(number);
          }
        }
      }
      inverse_fft_nd(ctx, whole, whole, {.extents = {e.x, e.y, e.z}});
      std::vector<T> want, got(whole.size());
      for (const auto& number : whole) want.push_back(number.real());
      try {
        inverse_real_fft_nd(ctx, given, got, {.extents = {e.x, e.y, e.z}}, {.use = i->name});
      } catch (const Unavailable&) {  // does not take such extents, and said why
        continue;
      }
      CHECK(distance(got, want) < kClose<T>);
    }
  }
}

TEST_CASE_TEMPLATE("every path, turned, in place and with gaps, gives what one grid at a time gives", T,
                   float, double) {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("real_fft_nd")) {
    CAPTURE(i->name);
    for (const Extents& e : kGrids) {
      CAPTURE(e.str());
      constexpr std::int64_t kBatch = 3;
      const PerAxis extents{e.x, e.y, e.z};
      // Real grids with gaps become spectra in column-major order, grid by grid, and these the real grids again.
      const std::int64_t line = e.z + 2, sheet = e.y * line + 1, grid = e.x * sheet + 4;
      const PerAxis padded{sheet, line, 1}, turned{kBatch, kBatch * e.x, kBatch * e.x * e.y};
      const std::vector<T> x = random_reals<T>(kBatch * grid);
      Numbers<T> y(static_cast<std::size_t>(kBatch * e.numbers()), {-7, 7});
      std::vector<T> back(x.size(), T(-7));
      // In place, rows padded as FFTW pads them and by two more numbers.
      const std::int64_t row = e.stored() + 2, plane = e.y * row + 1, cube = e.x * plane + 3;
      const PerAxis complex{plane, row, 1}, real{2 * plane, 2 * row, 1};
      Numbers<T> z(static_cast<std::size_t>(kBatch * cube), {-7, 7});
      T* const reals = reinterpret_cast<T*>(z.data());
      const auto for_numbers = [&](std::int64_t width, const auto& work) {
        for (std::int64_t b = 0; b < kBatch; ++b) {
          for (std::int64_t p = 0; p < e.x; ++p) {
            for (std::int64_t q = 0; q < e.y; ++q) {
              for (std::int64_t r = 0; r < width; ++r) work(b, p, q, r);
            }
          }
        }
      };
      const auto of_padded = [&](std::int64_t b, std::int64_t p, std::int64_t q, std::int64_t r) {
        return static_cast<std::size_t>(b * grid + p * sheet + q * line + r);
      };
      const auto of_complex = [&](std::int64_t b, std::int64_t p, std::int64_t q, std::int64_t r) {
        return static_cast<std::size_t>(b * cube + p * plane + q * row + r);
      };
      for_numbers(e.z, [&](auto b, auto p, auto q, auto r) {
        reals[2 * of_complex(b, p, q, 0) + static_cast<std::size_t>(r)] = x[of_padded(b, p, q, r)];
      });
      std::vector<T> read_back;
      Numbers<T> from_in_place(y.size());
      const View<T> real_view{reals, static_cast<std::int64_t>(2 * z.size())};
      const Grid there{.extents = extents,
                       .in_strides = real,
                       .out_strides = complex,
                       .batch = kBatch,
                       .in_distance = 2 * cube,
                       .out_distance = cube};
      const Grid home{.extents = extents,
                      .in_strides = complex,
                      .out_strides = real,
                      .batch = kBatch,
                      .in_distance = cube,
                      .out_distance = 2 * cube};
      try {
        real_fft_nd(ctx, x, y,
                    {.extents = extents,
                     .in_strides = padded,
                     .out_strides = turned,
                     .batch = kBatch,
                     .in_distance = grid,
                     .out_distance = 1},
                    {.use = i->name});
        inverse_real_fft_nd(ctx, y, back,
                            {.extents = extents,
                             .in_strides = turned,
                             .out_strides = padded,
                             .batch = kBatch,
                             .in_distance = 1,
                             .out_distance = grid},
                            {.use = i->name});
        real_fft_nd(ctx, real_view, z, there, {.use = i->name});
        for_numbers(e.stored(), [&](auto b, auto p, auto q, auto r) {
          const auto at = static_cast<std::size_t>(b + kBatch * (p + e.x * (q + e.y * r)));
          from_in_place[at] = z[of_complex(b, p, q, r)];
          z[of_complex(b, p, q, r)] = y[at];
        });
        inverse_real_fft_nd(ctx, z, real_view, home, {.use = i->name});
      } catch (const Unavailable&) {  // does not take such extents, and said why
        continue;
      }
      CHECK(distance(from_in_place, y) < kClose<T>);
      for (std::int64_t b = 0; b < kBatch; ++b) {
        std::vector<T> one, again, in_place;
        Numbers<T> spectrum;
        for_numbers(e.z, [&](auto of, auto p, auto q, auto r) {
          if (of != b) return;
          one.push_back(x[of_padded(b, p, q, r)]), again.push_back(back[of_padded(b, p, q, r)]);
          in_place.push_back(reals[2 * of_complex(b, p, q, 0) + static_cast<std::size_t>(r)]);
        });
        for_numbers(e.stored(), [&](auto of, auto p, auto q, auto r) {
          if (of == b)
            spectrum.push_back(y[static_cast<std::size_t>(b + kBatch * (p + e.x * (q + e.y * r)))]);
        });
        CHECK(distance(spectrum, complex_spectrum(ctx, one, e)) < kClose<T>);
        CHECK(distance(again, one) < kClose<T>);
        CHECK(distance(in_place, one) < kClose<T>);
      }
      // What lies between stayed as it was.
      std::vector<bool> written(back.size()), used(z.size());
      for_numbers(e.z, [&](auto b, auto p, auto q, auto r) { written[of_padded(b, p, q, r)] = true; });
      for_numbers(e.stored(), [&](auto b, auto p, auto q, auto r) { used[of_complex(b, p, q, r)] = true; });
      for (std::size_t at = 0; at < back.size(); ++at) CHECK((written[at] || back[at] == T(-7)));
      for (std::size_t at = 0; at < z.size(); ++at) CHECK((used[at] || z[at] == std::complex<T>(-7, 7)));
    }
  }
}

TEST_CASE("arrays of a context, and a call of a known shape that allocates nothing") {
  Context ctx = Context::host();
  const Array<float> x(ctx, random_reals<float>(30 * 40));
  Array<std::complex<float>> y(ctx, 30 * 21);
  Array<float> back(ctx, x.size());
  const auto both = [&] {
    real_fft_nd(ctx, x, y, {.extents = {30, 40}});
    inverse_real_fft_nd(ctx, y, back, {.extents = {30, 40}});
  };
  both();
  const std::size_t before = ctx.allocations();
  const std::vector<float> first = back.to_vector();
  for (int i = 0; i < 3; ++i) both();
  CHECK(ctx.allocations() == before);
  CHECK(back.to_vector() == first);
}

TEST_CASE("nothing to do") {
  Context ctx = Context::host();
  const std::vector<float> x(8, 1);
  Numbers<float> y(8, {-7, 7});
  const Numbers<float> before = y;
  real_fft_nd(ctx, x, y, {.extents = {0}});
  real_fft_nd(ctx, x, y, {.extents = {2, 0, 2}, .batch = 5});
  real_fft_nd(ctx, x, y, {.extents = {INT64_MAX, 0, INT64_MAX}});
  real_fft_nd(ctx, x, y, {.extents = {8}, .batch = 0});
  std::vector<float> reals(8, -7);
  inverse_real_fft_nd(ctx, y, reals, {.extents = {0, 3}});
  inverse_real_fft_nd(ctx, y, reals, {.extents = {3, 0}});
  real_fft_nd(ctx, View<const float>{}, View<std::complex<float>>{}, {.extents = {1 << 20}, .batch = 0});
  CHECK(y == before);
  CHECK(reals == std::vector<float>(8, -7));
}

TEST_CASE("bad grids") {
  Context ctx = Context::host();
  using V = View<std::complex<float>>;
  std::vector<float> x(64, 1);
  Numbers<float> z(64, {-7, 7});
  const View<float> in{x.data(), 64};
  const V out{z.data(), 64};
  const int before = refused_calls;
  const auto expect = [&](const View<float>& from, const V& to, const Grid& grids,
                          const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        z, [&] { real_fft_nd(ctx, from, to, grids); }, parts);
  };
  const auto expect_back = [&](const V& from, const View<float>& to, const Grid& grids,
                               const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        x, [&] { inverse_real_fft_nd(ctx, from, to, grids); }, parts);
  };
  expect(in, out, {.extents = {}}, {"real_fft_nd: extents has 0 axes; it must have 1 to 3"});
  expect(in, out, {.extents = {2, 2, 2, 2}}, {"real_fft_nd: extents has 4 axes; it must have 1 to 3"});
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{-1000}, INT64_MIN}) {
    const std::string text = std::to_string(bad);
    expect(in, out, {.extents = {bad}}, {"extent of axis 0 is " + text + "; it must be at least 0"});
    expect_back(out, in, {.extents = {0, bad}}, {"real_fft_nd: extent of axis 1 is " + text});
    expect(in, out, {.extents = {8}, .batch = bad}, {"real_fft_nd: batch is " + text});
    expect(in, out, {.extents = {4, 4}, .in_strides = {4, bad}}, {"stride of axis 1 of 'in' is " + text});
    expect_back(out, in, {.extents = {4, 4}, .out_strides = {bad, 1}},
                {"stride of axis 0 of 'out' is " + text});
    expect(in, out, {.extents = {8}, .in_distance = bad}, {"distance between grids of 'in' is " + text});
    expect_back(out, in, {.extents = {8}, .out_distance = bad},
                {"distance between grids of 'out' is " + text});
  }
  expect(in, out, {.extents = {4, 4}, .in_strides = {4}},
         {"real_fft_nd: strides of 'in' are of 1 axes; they must be of 2"});
  // Two elements at one address: spectra are shorter than rows, and so may be strides.
  expect(in, out, {.extents = {4, 4}, .out_strides = {2, 1}},
         {"a stride or distance of 'out' is 2; it must be at least 3, past what smaller ones span"});
  expect_back(out, in, {.extents = {4, 4}, .out_strides = {3, 1}}, {"of 'out' is 3; it must be at least 4"});
  expect(in, out, {.extents = {8}, .batch = 2, .out_distance = 4}, {"of 'out' is 4; it must be at least 5"});
  expect(in, out, {.extents = {65}}, {"real_fft_nd: size of 'in' is 64; it must be at least 65"});
  expect(in, {z.data(), 32}, {.extents = {64}}, {"size of 'out' is 32; it must be at least 33"});
  expect_back({z.data(), 32}, in, {.extents = {64}}, {"size of 'in' is 32; it must be at least 33"});
  expect_back(out, in, {.extents = {3, 22}}, {"size of 'out' is 64; it must be at least 66"});
  expect(in, out, {.extents = {1 << 30, 1 << 30, 1 << 30}}, {"overflow 2^63 bytes"});
  expect(in, out, {.extents = {2, 2}, .in_strides = {INT64_MAX, INT64_MAX}},
         {"the grids of 'in' overflow 2^63 bytes"});
  expect(in, out, {.extents = {2}, .batch = INT64_MAX}, {"overflow 2^63 bytes"});
  expect(in, out, {.extents = {8}, .scaling = static_cast<FftScaling>(3)},
         {"real_fft_nd: 'scaling' is 3; it must be FftScaling::inverse, unitary or none"});
  expect({nullptr, 64}, out, {.extents = {8}}, {"'in' is null"});
  expect(in, {nullptr, 64}, {.extents = {8}}, {"'out' is null"});
  for (const int bytes : {1, 2}) {
    expect({shifted(x.data(), bytes), 8}, out, {.extents = {8}}, {"'in' starts at 0x"});
    expect_back(out, {shifted(x.data(), bytes), 8}, {.extents = {8}}, {"'out' starts at 0x"});
  }
  for (const int bytes : {1, 4}) {
    expect(in, {shifted(z.data(), bytes), 8}, {.extents = {8}}, {"'out' starts at 0x"});
    expect_back({shifted(z.data(), bytes), 8}, in, {.extents = {8}}, {"'in' starts at 0x"});
  }
  // In place rows must begin at the same places, and lie without a stride.
  const View<float> inside{reinterpret_cast<float*>(z.data()), 128};
  expect({inside.data + 2, 64}, out, {.extents = {8}}, {"'out' overlaps 'in' by starting 8 bytes before it"});
  expect(inside, out, {.extents = {4, 4}}, {"they must be apart"});
  expect(inside, out, {.extents = {4, 4}, .in_strides = {7, 1}}, {"they must be apart"});
  expect(inside, out, {.extents = {4}, .batch = 2}, {"they must be apart"});
  expect(inside, out, {.extents = {4, 4}, .in_strides = {20, 2}, .out_strides = {10, 2}},
         {"they must be apart"});
  expect(inside, out, {.extents = {4, 4}, .in_strides = {2, 8}, .out_strides = {1, 4}},
         {"they must be apart"});
  // Back, spectra are written in place, too: they must not meet, either.
  const auto expect_in_place = [&](const Grid& grids, const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        z, [&] { inverse_real_fft_nd(ctx, out, inside, grids); }, parts);
  };
  expect_in_place({.extents = {4, 4}, .in_strides = {2, 1}, .out_strides = {4, 1}},
                  {"a stride or distance of 'in' is 2; it must be at least 3"});
  expect_in_place({.extents = {4}, .batch = 2, .in_distance = 2, .out_distance = 4},
                  {"a stride or distance of 'in' is 2; it must be at least 3"});
  expect_in_place({.extents = {4, 4}}, {"they must be apart"});
  expect_in_place({.extents = {4, 4}, .out_strides = {7, 1}}, {"they must be apart"});
  for (const char* use : {"nothing", "custom/nothing", "fft_nd/custom/serial", "custom", "*", "/", " "}) {
    expect_refused<InvalidArgument>(
        z, [&] { real_fft_nd(ctx, in, out, {.extents = {8}}, {.use = use}); },
        {std::string("real_fft_nd: unknown implementation '") + use + "'", "known: custom/serial"});
  }
  expect_refused<InvalidArgument>(z, [&] { real_fft_nd(ctx, in, out, {.extents = {8}}, {.bits = portable}); },
                                  {"real_fft_nd: bits is portable"});
  CHECK(refused_calls - before >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
