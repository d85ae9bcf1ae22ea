// transform and tridiagonal with functors of the user's own, by way of <tandem/functors.cuh>: compiled by
// nvcc for the GPU and by the host compiler for the executor, and run on each.

#include <malloc.h>

#include <cmath>
#include <limits>

#include "lib/core/backend.h"
#include "tandem/functors.cuh"
#include "tests/support.h"

namespace tandem {
namespace {

#ifdef TANDEM_SIMT
constexpr bool kSkip = false;
Context context() { return Context::host(); }
#else
const bool kSkip = !why_no_device().empty();
Context context() { return Context::device(); }
#endif

struct Saxpby {
  float a, b;
  __device__ float operator()(float x, float y) const { return a * x + b * y; }
};
struct IsPositive {
  __device__ bool operator()(double x) const { return x > 0; }
};
struct Weighted {  // five inputs of three types
  __device__ double operator()(std::int8_t a, float b, double c, float d, std::int8_t e) const {
    return a * 1.0 + b * 2.0 + c * 3.0 + d * 4.0 + e * 5.0;
  }
};
struct Rgb {  // no power of two
  std::uint8_t r, g, b;
};
struct Brightness {
  __device__ int operator()(Rgb c) const { return c.r + c.g + c.b; }
};

// −1, 4, −1 with NaN in the corners, for the solution 1 + system + row; no pivots in system `singular`.
template <class T>
struct Stencil {
  std::int64_t n, singular = -1;
  T unread = std::numeric_limits<T>::quiet_NaN();
  static __device__ T solution(std::int64_t system, std::int64_t row) { return T(1 + system + row); }
  __device__ TridiagonalRow<T> operator()(std::int64_t system, std::int64_t row) const {
    if (system == singular) return {0, 0, 0, 1};
    const bool first = row == 0, last = row + 1 == n;
    return {first ? unread : T(-1), 4, last ? unread : T(-1),
            4 * solution(system, row) - (first ? 0 : solution(system, row - 1)) -
                (last ? 0 : solution(system, row + 1))};
  }
};
struct Implicit {  // −1, 3, −1, for the field that is also the solution's place
  const double* u;
  Systems systems;
  __device__ TridiagonalRow<double> operator()(std::int64_t system, std::int64_t row) const {
    return {-1, 3, -1,
            u[system % systems.inner * systems.system + system / systems.inner * systems.block +
              row * systems.row]};
  }
};

// −1, 4, −1, but in one system a row whose pivot is 0 where elimination comes from the top: its diagonal is not. Half of
// what makes it so is read from the field that is also the solution's place, and holds 1.
struct ZeroPivot {
  const double* u;
  Systems systems;
  std::int64_t system, row;
  __device__ TridiagonalRow<double> operator()(std::int64_t s, std::int64_t i) const {
    if (s == system && i == row) return {1, row == 0 ? 0.0 : 1.0, -1, 1};
    if (s == system && i + 1 == row)
      return {0, 1,
              u[s % systems.inner * systems.system + s / systems.inner * systems.block + i * systems.row], 1};
    return {-1, 4, -1, 1};
  }
};

std::size_t place(const Systems& systems, std::int64_t system, std::int64_t row) {
  return static_cast<std::size_t>(system % systems.inner * systems.system +
                                  system / systems.inner * systems.block + row * systems.row);
}

template <class T>
void check_stencil(Context& ctx, const Systems& systems, const char* implementation) {
  CAPTURE(systems.n);
  Array<T> x(ctx, std::vector<T>(static_cast<std::size_t>(systems.n * systems.count() + 1), -7));
  tridiagonal(ctx, Stencil<T>{systems.n}, x, systems);
  CHECK(ctx.last().implementation == implementation);
  const std::vector<T> got = x.to_vector();
  CHECK(got.back() == -7);
  const T allowed = 8 * std::numeric_limits<T>::epsilon() * T(systems.n + systems.count());
  bool right = true;
  for (std::int64_t k = 0; k < systems.count(); ++k) {
    for (std::int64_t i = 0; i < systems.n; ++i)
      right = right && std::fabs(got[place(systems, k, i)] - T(1 + k + i)) <= allowed;
  }
  CHECK(right);
}

template <class T>
std::vector<T> ramp(std::int64_t n, int from) {
  std::vector<T> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>((static_cast<int>(i) + from) % 100);
  return values;
}

// Everything from element `skip` on.
template <class T>
View<T> behind(Array<T>& array, std::int64_t skip) {
  return {array.data() + skip, array.size() - skip};
}

}  // namespace

TEST_SUITE_BEGIN("device");

TEST_CASE("functors of users: sizes, alignments, in place" * doctest::skip(kSkip)) {
  Context ctx = context();
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 255, 1023, 1024, 1025, 10007}) {
    for (const std::int64_t x_skip : {0, 1, 3}) {
      for (const std::int64_t z_skip : {0, 1, 2}) {
        CAPTURE(n);
        const auto x = ramp<float>(n + x_skip, 1), y = ramp<float>(n, 50);
        Array<float> dx(ctx, x), dy(ctx, y),
            dz(ctx, std::vector<float>(static_cast<std::size_t>(n + z_skip), -7));
        transform(ctx, Saxpby{2, 3}, behind(dx, x_skip), dy, behind(dz, z_skip));
        transform(ctx, Saxpby{1, -1}, behind(dx, x_skip), dy, dy);
        const auto z = dz.to_vector(), in_place = dy.to_vector();
        bool right = true;
        for (std::int64_t k = 0; k < z_skip; ++k) right = right && z[static_cast<std::size_t>(k)] == -7;
        for (std::int64_t k = 0; k < n; ++k) {
          const float a = x[static_cast<std::size_t>(k + x_skip)], b = y[static_cast<std::size_t>(k)];
          right = right && z[static_cast<std::size_t>(k + z_skip)] == 2 * a + 3 * b &&
                  in_place[static_cast<std::size_t>(k)] == a - b;
        }
        CHECK(right);
      }
    }
  }
  CHECK(ctx.last().implementation == "transform/custom/packs");
}

TEST_CASE("functors of users: types that differ, any number of inputs" * doctest::skip(kSkip)) {
  Context ctx = context();
  constexpr std::int64_t kSize = 1003;
  const Array<std::int8_t> a(ctx, ramp<std::int8_t>(kSize, 0)), e(ctx, ramp<std::int8_t>(kSize, 4));
  const Array<float> b(ctx, ramp<float>(kSize, 1)), d(ctx, ramp<float>(kSize, 3));
  const Array<double> c(ctx, ramp<double>(kSize, 2));
  Array<double> z(ctx, kSize);
  transform(ctx, Weighted{}, zip(a, b, c, d, e), z);
  const auto got = z.to_vector();
  Array<bool> positive(ctx, kSize);
  transform(ctx, IsPositive{}, c, positive);
  const Array<Rgb> colours(ctx, std::vector<Rgb>(kSize, {1, 2, 250}));
  Array<int> brightness(ctx, kSize);
  transform(ctx, Brightness{}, colours, brightness);
  CHECK(brightness.to_vector() == std::vector<int>(kSize, 253));
  for (int i = 0; i < kSize; i += 17) {
    const auto value = [i](int from) { return (i + from) % 100; };
    CHECK(got[static_cast<std::size_t>(i)] ==
          value(0) + 2 * value(1) + 3 * value(2) + 4 * value(3) + 5 * value(4));
  }
}

/// Bytes that 50,000 refused calls leave behind.
template <class Call>
std::int64_t left_by_refusals(Call call) {
  const auto refuse = [&] {
    try {
      call();
    } catch (const InvalidArgument&) {
      return;
    }
    FAIL("nothing was thrown");
  };
  refuse();
  const std::size_t bytes = mallinfo2().uordblks;
  for (int i = 0; i < 50'000; ++i) refuse();
  return static_cast<std::int64_t>(mallinfo2().uordblks) - static_cast<std::int64_t>(bytes);
}

TEST_CASE("functors of users: bad calls" * doctest::skip(kSkip)) {
  Context ctx = context();
  Array<float> x(ctx, std::vector<float>(8, 1)), y(ctx, std::vector<float>(9, 1)), z(ctx, 8);
  CHECK(contains(thrown<InvalidArgument>([&] {
                   transform(ctx, Saxpby{1, 1}, x, y, z);
                 }),
                 "transform: size of 'y' is 9; it must be 8, the size of 'x'"));
  CHECK(contains(thrown<InvalidArgument>([&] {
                   transform(ctx, Saxpby{1, 1}, x, x, z, {.use = "vendor/cub"});
                 }),
                 "options.use is 'vendor/cub'; it must be empty"));
  CHECK(contains(thrown<InvalidArgument>([&] {
                   transform(ctx, Saxpby{1, 1}, View<const float>{x.data(), 7},
                             View<const float>{y.data(), 7}, View<float>{x.data() + 1, 7});
                 }),
                 "transform: 'z' overlaps 'x' by starting 4 bytes after it"));
  CHECK(left_by_refusals([&] { transform(ctx, Saxpby{1, 1}, x, y, z); }) <= 0);
  CHECK(left_by_refusals([&] { transform(ctx, Saxpby{1, 1}, x, x, z, {.use = "vendor/cub"}); }) <= 0);
#ifndef TANDEM_SIMT
  Context host = Context::host();
  std::vector<float> a(4, 1);
  CHECK(contains(thrown<Unavailable>([&] {
                   transform(host, Saxpby{1, 1}, a, a, a);
                 }),
                 "runs on the device, but the context computes on the host"));
#endif
}

TEST_CASE("coefficients on the fly: sweeps along every axis" * doctest::skip(kSkip)) {
  Context ctx = context();
  for (const std::int64_t n : {1, 2, 31, 64, 130, 300, 600, 1024}) {
    check_stencil<float>(ctx, sweep(0, n, 3, 3), "tridiagonal/custom/warp_hybrid");
    check_stencil<double>(ctx, sweep(0, n, 3, 3), "tridiagonal/custom/warp_hybrid");
    check_stencil<float>(ctx, sweep(1, 5, n, 2), "tridiagonal/custom/split");
    check_stencil<double>(ctx, sweep(2, 5, 7, n), "tridiagonal/custom/split");
  }
  check_stencil<float>(ctx, contiguous(2000, 2), "tridiagonal/custom/split");
}

TEST_CASE("coefficients on the fly: the solution may replace what they are made of" * doctest::skip(kSkip)) {
  Context ctx = context();
  for (const int axis : {0, 1, 2}) {
    const Systems systems = sweep(axis, 33, 34, 35);
    const std::vector<double> u = ramp<double>(33 * 34 * 35, 3);
    Array<double> field(ctx, u);
    tridiagonal(ctx, Implicit{field.data(), systems}, field, systems);
    const std::vector<double> x = field.to_vector();
    double worst = 0;
    for (std::int64_t k = 0; k < systems.count(); ++k) {
      for (std::int64_t i = 0; i < systems.n; ++i) {
        const std::size_t at = place(systems, k, i);
        double residual = u[at] - 3 * x[at];
        if (i > 0) residual += x[place(systems, k, i - 1)];
        if (i + 1 < systems.n) residual += x[place(systems, k, i + 1)];
        worst = std::max(worst, std::fabs(residual));
      }
    }
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("coefficients on the fly: bad calls, singular systems" * doctest::skip(kSkip)) {
  Context ctx = context();
  Array<double> x(ctx, 40);
  const auto refused = [&](Systems systems, const char* reason) {
    CHECK(
        contains(thrown<InvalidArgument>([&] { tridiagonal(ctx, Stencil<double>{4}, x, systems); }), reason));
  };
  refused(contiguous(4, 11), "tridiagonal: size of 'x' is 40; it must be at least 44");
  refused(contiguous(0, 1), "tridiagonal: n is 0; it must be at least 1");
  refused({4, 5, 1, 1, 3, 0}, "stride of the systems is 3");
  Systems pivoting = contiguous(4, 10);
  pivoting.pivot = true;
  refused(pivoting, "systems.pivot is true; with a functor it must be false");
  CHECK(left_by_refusals([&] { tridiagonal(ctx, Stencil<double>{4}, x, pivoting); }) <= 0);
  Array<float> longer(ctx, 8193);
  CHECK(contains(
      thrown<Unavailable>([&] { tridiagonal(ctx, Stencil<float>{1}, longer, interleaved(8193, 1)); }),
      "n is 8193; with a functor it is at most 8192"));
  for (const Systems& systems : {contiguous(4, 10), interleaved(4, 10)}) {
    try {
      tridiagonal(ctx, Stencil<double>{4, 3}, x, systems);
      ctx.synchronize();
      FAIL_CHECK("nothing was thrown");
    } catch (const SingularSystem& error) {
      CHECK(error.system == 3);
    }
  }
  for (const std::int64_t n : {1, 2, 60, 200, 300, 1000, 2000}) {
    for (const Systems& systems : {contiguous(n, 5), interleaved(n, 5)}) {
      for (const std::int64_t row : {std::int64_t{0}, std::int64_t{1}, n / 2, n - 1}) {
        if (row >= n) continue;
        CAPTURE(n);
        CAPTURE(row);
        Array<double> field(ctx, std::vector<double>(static_cast<std::size_t>(5 * n), 1));
        try {
          tridiagonal(ctx, ZeroPivot{field.data(), systems, 3, row}, field, systems);
          ctx.synchronize();
          FAIL_CHECK("nothing was thrown");
        } catch (const SingularSystem& error) {
          CHECK(error.system == 3);
          CHECK(error.row == row);
        }
      }
    }
  }
#ifndef TANDEM_SIMT
  Context host = Context::host();
  std::vector<double> y(40);
  CHECK(contains(thrown<Unavailable>([&] { tridiagonal(host, Stencil<double>{4}, y, contiguous(4, 10)); }),
                 "runs on the device, but the context computes on the host"));
#endif
}

TEST_SUITE_END();

}  // namespace tandem
