// sort by its public functions: right calls of every type, order and container; odd but legal ones; and bad ones,
// each of which names operation, argument and value, and leaves everything untouched.

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cmath>
#include <limits>
#include <numeric>

#include "lib/core/random_bits.h"
#include "tandem/tandem.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

template <class T>
std::vector<T> random_keys(std::size_t n, std::uint64_t different) {
  std::vector<T> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<std::int64_t>(random_bits(7, i) % different);
    keys[i] = static_cast<T>(number - static_cast<std::int64_t>(std::is_signed_v<T> ? different / 2 : 0));
  }
  return keys;
}

/// Where each of the sorted keys was.
template <class T, class Less>
std::vector<std::uint32_t> sorting(const std::vector<T>& keys, Less less) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t i, std::uint32_t j) { return less(keys[i], keys[j]); });
  return order;
}

template <class T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<std::uint32_t>& order) {
  std::vector<T> all;
  for (const std::uint32_t i : order) all.push_back(from[i]);
  return all;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

constexpr std::int64_t kFew = 32;  // keys of a bad call

}  // namespace

TEST_SUITE_BEGIN("sort");

TEST_CASE_TEMPLATE("all types of keys, with values and without, in place and apart", T, float, double,
                   std::int32_t, std::int64_t, std::uint32_t, std::uint64_t) {
  Context ctx = Context::host();
  for (const std::size_t n : {1u, 2u, 33u, 1000u, 40000u}) {
    for (const bool descending : {false, true}) {
      const std::vector<T> keys = random_keys<T>(n, 300);
      const auto order = sorting(keys, [&](T a, T b) { return descending ? b < a : a < b; });
      const std::vector<T> wanted = taken(keys, order);
      std::vector<T> y(n);
      sort_into(ctx, keys, y, {.descending = descending});
      CHECK(y == wanted);
      y = keys;
      sort(ctx, y, {.descending = descending});
      CHECK(y == wanted);

      std::vector<std::uint32_t> places(n), moved(n);
      std::iota(places.begin(), places.end(), 0u);
      sort_by_key_into(ctx, keys, places, y, std::span(moved), {.descending = descending});
      CHECK(y == wanted);
      CHECK(moved == order);
      std::vector<double> doubles(places.begin(), places.end());  // of another size
      y = keys;
      sort_by_key(ctx, y, doubles, {.descending = descending});
      CHECK(y == wanted);
      CHECK(std::ranges::equal(doubles, order));
      Array<T> array(ctx, keys);
      Array<std::uint32_t> values(ctx, places);
      sort_by_key(ctx, array, values, {.descending = descending});
      CHECK(array.to_vector() == wanted);
      CHECK(values.to_vector() == order);
      // Only one of the two in place.
      array.upload(keys);
      sort_by_key_into(ctx, array, places, array, moved, {.descending = descending});
      CHECK(array.to_vector() == wanted);
      CHECK(moved == order);
    }
  }
}

TEST_CASE_TEMPLATE("long arrays by digits: more than a cache holds, of many buckets or of few", T, float,
                   double, std::uint32_t) {
  Context ctx = Context::host();
  constexpr std::size_t n = 400'000;
  const auto key = [](int pattern, std::size_t i) -> T {
    const auto number = static_cast<std::uint32_t>(random_bits(11, i));
    switch (pattern) {
      case 0:  // six keys
        return T(1000 + number % 6);
      case 1:  // one key in ten differs from the others in high bits
        return T(number % 10 == 0 ? number : number >> 12);
      case 2:  // a NaN and both zeros, whose codes do not tell them again
        if constexpr (std::is_floating_point_v<T>) {
          if (i % 1000 == 7) return i % 3 == 0 ? std::numeric_limits<T>::quiet_NaN() : T(-0.0);
        }
        [[fallthrough]];
      default:
        return T(number) - T(1u << 31);
    }
  };
  for (int pattern = 0; pattern < 4; ++pattern) {
    CAPTURE(pattern);
    std::vector<T> keys(n), y(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = key(pattern, i);
    const auto order = sorting(keys, [](T a, T b) { return a < b || (b != b && a == a); });
    const std::vector<T> wanted = taken(keys, order);
    std::vector<std::uint32_t> places(n), moved(n);
    std::iota(places.begin(), places.end(), 0u);
    for (const char* use : {"custom/radix", "custom/buckets"}) {
      CAPTURE(use);
      sort_by_key_into(ctx, keys, places, y, moved, {}, {.use = use});
      CHECK(same_bits(y, wanted));
      CHECK(moved == order);
      y = keys;
      sort(ctx, y, {}, {.use = use});
      CHECK(same_bits(y, wanted));
    }
  }
}

TEST_CASE_TEMPLATE("NaNs come last, zeros are equal, and all keep their bits and their order", T, float,
                   double) {
  Context ctx = Context::host();
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN(), kInfinity = std::numeric_limits<T>::infinity();
  const std::vector<T> keys{0, -kNan, kInfinity, T(-0.0), 1, kNan, -kInfinity, 0, -1, T(-0.0)};
  std::vector<T> y(keys.size());
  std::vector<std::uint32_t> places(keys.size()), order(keys.size());
  std::iota(places.begin(), places.end(), 0u);
  for (const Implementation* i : host_rows("sort")) {
    CAPTURE(i->name);
    sort_by_key_into(ctx, keys, places, y, order, {}, {.use = i->name});
    CHECK(order == std::vector<std::uint32_t>{6, 8, 0, 3, 7, 9, 4, 2, 1, 5});
    CHECK(same_bits(y, taken(keys, order)));
    sort_by_key_into(ctx, keys, places, y, order, {.descending = true}, {.use = i->name});
    CHECK(order == std::vector<std::uint32_t>{1, 5, 2, 4, 0, 3, 7, 9, 8, 6});
    CHECK(same_bits(y, taken(keys, order)));
  }
}

TEST_CASE("a range of bits: of unsigned, signed and floating-point keys") {
  Context ctx = Context::host();
  const std::vector<std::uint32_t> keys{0x13, 0x21, 0x32, 0x11, 0x23};
  const auto sorted = [&](auto x, const SortOrder& order, std::string_view use) {
    sort(ctx, x, order, {.use = use});
    return x;
  };
  for (const Implementation* i : host_rows("sort")) {
    CAPTURE(i->name);
    const auto check = [&](const auto& x, const SortOrder& order, const auto& wanted) {
      CHECK(sorted(x, order, i->name) == wanted);
    };
    check(keys, {.end_bit = 4}, std::vector<std::uint32_t>{0x21, 0x11, 0x32, 0x13, 0x23});
    check(keys, {.descending = true, .end_bit = 4}, std::vector<std::uint32_t>{0x13, 0x23, 0x32, 0x21, 0x11});
    check(keys, {.begin_bit = 4, .end_bit = 8}, std::vector<std::uint32_t>{0x13, 0x11, 0x21, 0x23, 0x32});
    check(keys, {.begin_bit = 32}, keys);
    check(keys, {.begin_bit = 3, .end_bit = 3}, keys);
    // The sign bit alone.
    check(std::vector<int>{5, -3, 7, -9}, {.begin_bit = 31}, std::vector<int>{-3, -9, 5, 7});
    check(std::vector<double>{5, -3, -0.0, -9}, {.begin_bit = 63}, std::vector<double>{-3, -9, 5, -0.0});
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  // Nothing at all.
  sort(ctx, View<int>{nullptr, 0});
  sort_by_key(ctx, View<int>{nullptr, 0}, View<float>{nullptr, 0});
  int untouched = -7;
  sort_into(ctx, View<const int>{&untouched, 0}, View<int>{&untouched, 0});
  CHECK(untouched == -7);
  // One key, by every path; values of a type of the user's own.
  struct Point {
    float x, y;
  };
  for (const Implementation* i : host_rows("sort")) {
    const std::vector<float> one{3};
    std::vector<float> out{-7};
    std::vector<Point> points{{1, 2}};
    sort_into(ctx, one, out, {}, {.use = i->name});
    CHECK(out[0] == 3);
    sort_by_key(ctx, out, points, {.descending = true}, {.use = i->name});
    CHECK(points[0].y == 2);
  }
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<std::uint32_t> memory(4096);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::uint32_t>(memory.size() - i);
    std::uint32_t* const at = memory.data() + offset;
    sort_by_key_into(ctx, View<const std::uint32_t>{at, 1000}, View<const std::uint32_t>{at + 1000, 1000},
                     View<std::uint32_t>{at + 2000, 1000}, View<std::uint32_t>{at + 3000, 1000});
    CHECK(std::is_sorted(at + 2000, at + 4000 - 1000));
    CHECK(std::is_sorted(at + 3000, at + 4000));
  }
  // Keys as their own values.
  const std::vector<int> x{3, 1, 2};
  std::vector<int> a(3), b(3);
  sort_by_key_into(ctx, x, x, a, b);
  CHECK(a == std::vector<int>{1, 2, 3});
  CHECK(b == a);
  // Arrays of fixed size.
  std::array<double, 3> fixed{2, -1, 0};
  sort(ctx, fixed);
  CHECK((fixed == std::array<double, 3>{-1, 0, 2}));
}

TEST_CASE("a call of a size that was there before takes no memory") {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("sort")) {
    CAPTURE(i->name);
    std::vector<int> x = random_keys<int>(5000, 1000);
    std::vector<std::int64_t> values(x.size());
    const auto call = [&] {
      try {
        sort_by_key(ctx, x, values, {}, {.use = i->name});
      } catch (const Unavailable&) {  // this path does not take so many, and said why
      }
    };
    call();
    const std::size_t before = ctx.allocations();
    for (int k = 0; k < 3; ++k) call();
    CHECK(ctx.allocations() == before);
  }
}

TEST_CASE_TEMPLATE("bad calls", T, float, double, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t) {
  constexpr std::int64_t n = kFew;
  std::vector<T> memory(4 * n, T(1));
  T* const keys = memory.data();
  T *const values = keys + n, *const keys_out = keys + 2 * n, *const values_out = keys + 3 * n;
  Context ctx = Context::host();
  int count = 0;
  const auto bad = [&](View<const T> k, View<const T> v, View<T> ko, View<T> vo, const std::string& part,
                       const SortOrder& order = {}, const Options& options = {}) {
    ++count;
    expect_refused<InvalidArgument>(memory, [&] { sort_by_key_into(ctx, k, v, ko, vo, order, options); },
                                    {"sort: ", part});
  };
  const auto at = [&](T* data, std::int64_t size = kFew) { return View<T>{data, size}; };
  const auto in = [&](const T* data, std::int64_t size = kFew) { return View<const T>{data, size}; };
  // Sizes.
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, n - 1, n + 1}) {
    const std::string is = " is " + std::to_string(size) + "; it must be 32, the size of 'keys'";
    bad(in(keys), in(values), at(keys_out, size), at(values_out), "size of 'keys_out'" + is);
    bad(in(keys), in(values, size), at(keys_out), at(values_out), "size of 'values'" + is);
    bad(in(keys), in(values), at(keys_out), at(values_out, size), "size of 'values_out'" + is);
  }
  for (const std::int64_t size : {std::int64_t{-1}, std::int64_t{INT64_MIN}})
    bad(in(keys, size), in(values, size), at(keys_out, size), at(values_out, size),
        "size of 'keys' is " + std::to_string(size));
  bad(in(keys, INT64_MAX), in(values), at(keys_out), at(values_out), "overflow 2^63 bytes");
  // Pointers.
  bad(in(nullptr), in(values), at(keys_out), at(values_out), "'keys' is null, but its size is 32");
  bad(in(keys), in(nullptr), at(keys_out), at(values_out), "'values' is null");
  bad(in(keys), in(values), at(nullptr), at(values_out), "'keys_out' is null");
  bad(in(keys), in(values), at(keys_out), at(nullptr), "'values_out' is null");
  bad(in(shifted(keys, 1), 8), in(values, 8), at(keys_out, 8), at(values_out, 8), "'keys' starts at 0x");
  bad(in(keys, 8), in(shifted(values, 2), 8), at(keys_out, 8), at(values_out, 8), "'values' starts at 0x");
  // Overlap.
  bad(in(keys), in(values), at(keys + 1), at(values_out), "'keys_out' overlaps 'keys'");
  bad(in(keys), in(values), at(keys_out), at(values + 1), "'values_out' overlaps 'values'");
  bad(in(keys), in(values), at(values), at(values_out), "'keys_out' overlaps 'values'");
  bad(in(keys), in(values), at(keys_out), at(keys), "'values_out' overlaps 'keys'");
  bad(in(keys), in(values), at(keys_out), at(keys_out + 1), "'values_out' overlaps 'keys_out'");
  // Bits.
  constexpr int kBits = 8 * sizeof(T);
  const std::string limit = "it must be from 0 to " + std::to_string(kBits);
  const auto bad_bits = [&](int begin, int end, const std::string& part) {
    bad(in(keys), in(values), at(keys_out), at(values_out), part, {.begin_bit = begin, .end_bit = end});
  };
  for (const int end : {-2, INT_MIN, kBits + 1, INT_MAX})
    bad_bits(0, end, "end_bit is " + std::to_string(end) + "; " + limit);
  for (const int begin : {-1, INT_MIN, kBits + 1, INT_MAX})
    bad_bits(begin, -1, "begin_bit is " + std::to_string(begin) + "; " + limit);
  bad_bits(5, 3, "begin_bit is 5; it must be from 0 to 3");
  // Paths.
  for (const char* use : {"nothing", "scan/custom", "sort", "*"})
    bad(in(keys), in(values), at(keys_out), at(values_out),
        "unknown implementation '" + std::string(use) + "'", {}, {.use = use});
  bad(in(keys), in(values), at(keys_out), at(values_out), "bits is portable", {}, {.bits = portable});
  // After all that the context works.
  std::vector<T> y{3, 1, 2};
  sort(ctx, y);
  CHECK(y == std::vector<T>{1, 2, 3});
  MESSAGE(count, " bad calls");
  CHECK(count >= 39);
}

TEST_SUITE_END();

}  // namespace tandem
