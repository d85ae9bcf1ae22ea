// transform with functors of the user's own, by way of <tandem.cuh>: compiled by nvcc for the GPU and by the host
// compiler for the executor, and run on each.

#include "lib/tandem.cuh"
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
#ifndef TANDEM_SIMT
  Context host = Context::host();
  std::vector<float> a(4, 1);
  CHECK(contains(thrown<Unavailable>([&] {
                   transform(host, Saxpby{1, 1}, a, a, a);
                 }),
                 "runs on the device, but the context computes on the host"));
#endif
}

TEST_SUITE_END();

}  // namespace tandem
