// top_k by its public functions: right calls of every type, order and container; odd but legal ones; and bad ones, each
// of which names operation, argument and value, and leaves everything untouched.

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <limits>
#include <numeric>

#include "custom_kernels/top_k/detail/sample.h"
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

/// Where the first k of a stable sort are.
template <class T>
std::vector<std::int64_t> first_positions(const std::vector<T>& keys, std::size_t k, Order order) {
  std::vector<std::int64_t> at(keys.size());
  std::iota(at.begin(), at.end(), std::int64_t{0});
  std::ranges::stable_sort(at, [&](std::int64_t i, std::int64_t j) {
    const T x = keys[static_cast<std::size_t>(i)], y = keys[static_cast<std::size_t>(j)];
    return order == Order::descending ? y < x : x < y;
  });
  at.resize(k);
  return at;
}

template <class T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<std::int64_t>& positions) {
  std::vector<T> all;
  for (const std::int64_t i : positions) all.push_back(from[static_cast<std::size_t>(i)]);
  return all;
}

constexpr std::int64_t kMany = 32, kFew = 8;  // keys of a bad call, and how many of them are wanted

}  // namespace

TEST_SUITE_BEGIN("top_k");

TEST_CASE_TEMPLATE("all types of keys, with positions and without", T, float, double, std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  Context ctx = Context::host();
  for (const std::size_t n : {1u, 2u, 33u, 1000u, 100000u}) {
    for (const std::size_t k : {std::size_t{1}, n / 3, std::size_t{100}, n}) {
      if (k > n) continue;
      for (const Order order : {Order::descending, Order::ascending}) {
        const std::vector<T> x = random_keys<T>(n, 300);
        const std::vector<std::int64_t> wanted = first_positions(x, k, order);
        std::vector<T> keys(k);
        std::vector<std::int64_t> positions(k);
        top_k(ctx, x, keys, positions, order);
        CHECK(keys == taken(x, wanted));
        CHECK(positions == wanted);
        std::ranges::fill(keys, T(77));
        top_k(ctx, x, std::span(keys), order);
        CHECK(keys == taken(x, wanted));
        std::ranges::fill(positions, -1);
        top_k_positions(ctx, x, positions, order);
        CHECK(positions == wanted);
        const Array<T> array(ctx, x);
        Array<T> first(ctx, static_cast<std::int64_t>(k));
        Array<std::int64_t> at(ctx, first.size());
        top_k(ctx, array, first, at, order);
        CHECK(first.to_vector() == keys);
        CHECK(at.to_vector() == wanted);
      }
    }
  }
}

TEST_CASE("the largest by default, by every path") {
  Context ctx = Context::host();
  const std::vector<int> x{5, 1, 9, 9, 3, 9};
  for (const Implementation* i : host_rows("top_k")) {
    CAPTURE(i->name);
    std::vector<int> keys(4);
    std::vector<std::int64_t> positions(4);
    top_k(ctx, x, keys, positions, Order::descending, {.use = i->name});
    CHECK(keys == std::vector<int>{9, 9, 9, 5});
    CHECK(positions == std::vector<std::int64_t>{2, 3, 5, 0});
    top_k(ctx, x, keys);
    CHECK(keys == std::vector<int>{9, 9, 9, 5});
    // A tie at the k-th: the first positions win.
    positions.resize(2);
    top_k_positions(ctx, x, positions, Order::descending, {.use = i->name});
    CHECK(positions == std::vector<std::int64_t>{2, 3});
  }
}

TEST_CASE_TEMPLATE("NaNs are the largest, zeros are equal, and all keep their bits", T, float, double) {
  Context ctx = Context::host();
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN(), kInfinity = std::numeric_limits<T>::infinity();
  const std::vector<T> x{0, -kNan, kInfinity, T(-0.0), 1, kNan, -kInfinity, 0, -1, T(-0.0)};
  for (const Implementation* i : host_rows("top_k")) {
    CAPTURE(i->name);
    const auto check = [&](Order order, const std::vector<std::int64_t>& all) {
      for (std::size_t k = 1; k <= all.size(); ++k) {
        const std::vector<std::int64_t> wanted(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k));
        std::vector<T> keys(k);
        std::vector<std::int64_t> positions(k);
        top_k(ctx, x, keys, positions, order, {.use = i->name});
        CHECK(positions == wanted);
        CHECK(std::memcmp(keys.data(), taken(x, wanted).data(), k * sizeof(T)) == 0);
      }
    };
    check(Order::ascending, {6, 8, 0, 3, 7, 9, 4, 2, 1, 5});
    check(Order::descending, {1, 5, 2, 4, 0, 3, 7, 9, 8, 6});
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  // Nothing at all, and nothing of something.
  top_k(ctx, View<int>{nullptr, 0}, View<int>{nullptr, 0});
  top_k(ctx, View<int>{nullptr, 0}, View<int>{nullptr, 0}, View<std::int64_t>{nullptr, 0});
  const std::vector<int> x{3, 1, 2};
  int untouched = -7;
  top_k(ctx, x, View<int>{&untouched, 0});
  top_k_positions(ctx, x, View<std::int64_t>{nullptr, 0});
  CHECK(untouched == -7);
  // Everything: a stable sort.
  std::array<std::int64_t, 3> all{};
  top_k_positions(ctx, x, all, Order::ascending);
  CHECK((all == std::array<std::int64_t, 3>{1, 2, 0}));
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<std::uint32_t> memory(4096);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::uint32_t>(i * 37 % 4096);
    std::uint32_t* const at = memory.data() + offset;
    std::vector<std::uint32_t> wanted(at, at + 2000);
    std::ranges::sort(wanted, std::greater{});
    top_k(ctx, View<const std::uint32_t>{at, 2000}, View<std::uint32_t>{at + 2000, 500});
    CHECK(std::equal(at + 2000, at + 2500, wanted.begin()));
  }
  // One key, whose memory the outputs must not change.
  const std::vector<float> one{3};
  std::vector<float> key(1);
  for (const Implementation* i : host_rows("top_k")) {
    key = {-7};
    top_k(ctx, one, key, Order::ascending, {.use = i->name});
    CHECK(key[0] == 3);
  }
}

TEST_CASE("what a sample says of all keys may be wrong: the result is not") {
  Context ctx = Context::host();
  constexpr std::int64_t n = 20011, k = 500;
  const Sample sample = Sample::of(n, k);
  REQUIRE(sample.rank < sample.size);
  // Of the largest keys the sample has nearly all, or none.
  for (const bool has : {true, false}) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = has ? 0.0f : static_cast<float>(random_bits(3, i) % 1000 + 1000);
    for (int j = 0; j < sample.size; ++j)
      x[static_cast<std::size_t>(sample.position(j, n))] = static_cast<float>(j % 7) + (has ? 1.0f : 0.0f);
    const std::vector<std::int64_t> wanted = first_positions(x, k, Order::descending);
    for (const Implementation* i : host_rows("top_k")) {
      CAPTURE(i->name);
      std::vector<std::int64_t> positions(k);
      try {
        top_k_positions(ctx, x, positions, Order::descending, {.use = i->name});
        CHECK(positions == wanted);
      } catch (const Unavailable&) {  // this path does not take so many, and said why
      }
    }
  }
}

TEST_CASE("a call of a size that was there before takes no memory") {
  Context ctx = Context::host();
  const std::vector<int> x = random_keys<int>(20000, 1000);
  for (const Implementation* i : host_rows("top_k")) {
    CAPTURE(i->name);
    std::vector<int> keys(300);
    std::vector<std::int64_t> positions(300);
    const auto call = [&] {
      try {
        top_k(ctx, x, keys, positions, Order::descending, {.use = i->name});
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
  constexpr std::int64_t n = kMany;
  std::vector<std::int64_t> memory(3 * n, 1);
  auto* const x = reinterpret_cast<T*>(memory.data());
  auto* const keys = reinterpret_cast<T*>(memory.data() + n);
  std::int64_t* const positions = memory.data() + 2 * n;
  Context ctx = Context::host();
  int count = 0;
  const auto bad = [&](View<const T> in, View<T> first, View<std::int64_t> at, const std::string& part,
                       Order order = Order::descending, const Options& options = {}) {
    ++count;
    expect_refused<InvalidArgument>(memory, [&] { top_k(ctx, in, first, at, order, options); },
                                    {"top_k: ", part});
  };
  const auto bad_keys = [&](View<const T> in, View<T> first, const std::string& part,
                            Order order = Order::descending, const Options& options = {}) {
    ++count;
    expect_refused<InvalidArgument>(memory, [&] { top_k(ctx, in, first, order, options); },
                                    {"top_k: ", part});
  };
  const auto bad_positions = [&](View<const T> in, View<std::int64_t> at, const std::string& part,
                                 Order order = Order::descending, const Options& options = {}) {
    ++count;
    expect_refused<InvalidArgument>(memory, [&] { top_k_positions(ctx, in, at, order, options); },
                                    {"top_k: ", part});
  };
  const auto in = [&](const T* data, std::int64_t size = kMany) { return View<const T>{data, size}; };
  const auto out = [&](T* data, std::int64_t size = kFew) { return View<T>{data, size}; };
  const auto at = [&](std::int64_t* data, std::int64_t size = kFew) {
    return View<std::int64_t>{data, size};
  };
  // k.
  for (const std::int64_t k : {n + 1, n + 2, 2 * n, 3 * n}) {
    const std::string is = ", is " + std::to_string(k) + "; it must be at most 32, the size of 'in'";
    bad_keys(in(x), out(keys, k), "k, the size of 'keys_out'" + is);
    bad_positions(in(x), at(positions, k), "k, the size of 'positions_out'" + is);
    bad(in(x), out(keys, k), at(positions, k), "k, the size of 'keys_out'" + is);
  }
  bad_keys(in(nullptr, 0), out(keys, 1), "is 1; it must be at most 0, the size of 'in'");
  bad_positions(in(x, 7), at(positions), "is 8; it must be at most 7, the size of 'in'");
  // Sizes.
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, kFew - 1, kFew + 1, n + 1}) {
    bad(in(x), out(keys), at(positions, size),
        "size of 'positions_out' is " + std::to_string(size) + "; it must be 8, the size of 'keys_out'");
  }
  for (const std::int64_t size : {std::int64_t{-1}, std::int64_t{INT64_MIN}}) {
    const std::string is = " is " + std::to_string(size) + "; it must be at least 0";
    bad(in(x, size), out(keys), at(positions), "size of 'in'" + is);
    bad_keys(in(x), out(keys, size), "size of 'keys_out'" + is);
    bad_positions(in(x), at(positions, size), "size of 'positions_out'" + is);
  }
  bad(in(x, INT64_MAX), out(keys), at(positions), "overflow 2^63 bytes");
  bad_keys(in(x), out(keys, INT64_MAX), "overflow 2^63 bytes");
  bad_positions(in(x), at(positions, INT64_MAX), "overflow 2^63 bytes");
  // Pointers.
  bad(in(nullptr), out(keys), at(positions), "'in' is null, but its size is 32");
  bad(in(x), out(nullptr), at(positions), "'keys_out' is null, but its size is 8");
  bad(in(x), out(keys), at(nullptr), "'positions_out' is null, but its size is 8");
  bad_keys(in(nullptr), out(keys), "'in' is null");
  bad_keys(in(x), out(nullptr), "'keys_out' is null");
  bad_positions(in(x), at(nullptr), "'positions_out' is null");
  for (const int shift : {1, 2, 3}) {
    bad(in(shifted(x, shift), 8), out(keys), at(positions), "'in' starts at 0x");
    bad(in(x), out(shifted(keys, shift)), at(positions), "'keys_out' starts at 0x");
    bad(in(x), out(keys), at(shifted(positions, shift)), "'positions_out' starts at 0x");
  }
  // Overlap.
  bad_keys(in(x), out(x), "'keys_out' overlaps 'in'");
  bad_keys(in(x), out(x + n - 1), "'keys_out' overlaps 'in'");
  bad(in(x), out(keys), at(memory.data()), "'positions_out' overlaps 'in'");
  bad_positions(in(x), at(memory.data()), "'positions_out' overlaps 'in'");
  bad(in(x), out(keys), at(memory.data() + n), "'positions_out' overlaps 'keys_out'");
  // Orders and paths.
  for (const int order : {2, 7, 255}) {
    bad(in(x), out(keys), at(positions),
        "order is " + std::to_string(order) + "; it must be 0 (descending) or 1 (ascending)",
        static_cast<Order>(order));
  }
  for (const char* use : {"nothing", "scan/custom", "top_k", "*"}) {
    bad(in(x), out(keys), at(positions), "unknown implementation '" + std::string(use) + "'",
        Order::descending, {.use = use});
  }
  bad_keys(in(x), out(keys), "bits is portable", Order::descending, {.bits = portable});
  // After all that the context works.
  std::vector<T> y(2);
  top_k(ctx, std::vector<T>{3, 1, 2}, y);
  CHECK(y == std::vector<T>{3, 2});
  MESSAGE(count, " bad calls");
  CHECK(count >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
