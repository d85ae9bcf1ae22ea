// select, select_flagged, partition and unique by their public functions: right calls of every type and container; odd
// but legal ones; and bad ones, each of which throws the right exception, names operation, argument and value, and leaves
// outputs untouched.

#include <array>
#include <cmath>
#include <limits>

#include "tandem/tandem.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

#define ALL_TYPES                                                                                      \
  float, double, half, bfloat16, std::int8_t, std::int32_t, std::int64_t, std::uint8_t, std::uint32_t, \
      std::uint64_t

/// The six comparisons with a value, each beside what C++ says of it.
template <class T, class F>
void for_each_comparison(T v, F f) {
  f(less{v}, [v](T x) { return x < v; });
  f(less_equal{v}, [v](T x) { return x <= v; });
  f(greater{v}, [v](T x) { return x > v; });
  f(greater_equal{v}, [v](T x) { return x >= v; });
  f(equal{v}, [v](T x) { return x == v; });
  f(not_equal{v}, [v](T x) { return x != v; });
}

/// Numbers at which comparisons go wrong.
template <class T>
std::vector<T> odd_numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all{Limits::lowest(), static_cast<T>(-1), T(0), T(1), T(2), Limits::max()};
  if constexpr (Limits::has_infinity) {
    for (const T x : {T(-0.0), Limits::denorm_min(), T(-Limits::denorm_min()), Limits::infinity(),
                      T(-Limits::infinity()), Limits::quiet_NaN(), Limits::min(), T(1 + Limits::epsilon())})
      all.push_back(x);
  } else {
    for (const T x :
         {T(Limits::lowest() + 1), T(Limits::max() - 1), T(Limits::max() / 2), T(Limits::max() / 2 + 1)})
      all.push_back(x);
  }
  return all;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace

TEST_SUITE_BEGIN("select");

TEST_CASE_TEMPLATE("every comparison means what C++ means by it", T, ALL_TYPES) {
  Context ctx = Context::host();
  const std::vector<T> x = odd_numbers<T>();
  for (const T v : x) {
    for_each_comparison(v, [&](auto predicate, auto says) {
      std::vector<T> wanted, others;
      for (const T& element : x) (says(element) ? wanted : others).push_back(element);
      std::vector<T> y(x.size());
      const std::int64_t kept = select(ctx, x, predicate, y);
      CHECK(kept == static_cast<std::int64_t>(wanted.size()));
      CHECK(same_bits(std::vector<T>(y.begin(), y.begin() + kept), wanted));
      CHECK(partition(ctx, x, predicate, y) == kept);
      wanted.insert(wanted.end(), others.begin(), others.end());
      CHECK(same_bits(y, wanted));
    });
  }
}

TEST_CASE_TEMPLATE("every number of 16 bits is compared with its neighbours", T, half, bfloat16) {
  Context ctx = Context::host();
  std::vector<T> x(1 << 16), y(x.size());
  for (std::size_t bits = 0; bits < x.size(); ++bits) x[bits].bits = static_cast<std::uint16_t>(bits);
  std::vector<float> sorted;
  for (const T& element : x) {
    if (element == element) sorted.push_back(element);
  }
  std::sort(sorted.begin(), sorted.end());
  const auto at_most = [&](float limit) {
    return std::upper_bound(sorted.begin(), sorted.end(), limit) - sorted.begin();
  };
  const auto below = [&](float limit) {
    return std::lower_bound(sorted.begin(), sorted.end(), limit) - sorted.begin();
  };
  const auto numbers = static_cast<std::int64_t>(sorted.size());
  for (std::size_t i = 0; i < x.size(); i += 37) {
    const T v = x[i];
    const bool nan = !(v == v);
    CAPTURE(i);
    CHECK(select(ctx, x, less{v}, y) == (nan ? 0 : below(v)));
    CHECK(select(ctx, x, less_equal{v}, y) == (nan ? 0 : at_most(v)));
    CHECK(select(ctx, x, greater{v}, y) == (nan ? 0 : numbers - at_most(v)));
    CHECK(select(ctx, x, greater_equal{v}, y) == (nan ? 0 : numbers - below(v)));
  }
}

TEST_CASE_TEMPLATE("all paths, forms and containers", T, ALL_TYPES) {
  Context ctx = Context::host();
  const std::vector<T> x = small_numbers<T>(9000);
  std::vector<std::uint8_t> flags;
  std::vector<T> above, others, runs;
  for (std::size_t i = 0; i < x.size(); ++i) {
    flags.push_back(x[i] > T(1) ? static_cast<std::uint8_t>(1 + i % 255) : 0);
    (x[i] > T(1) ? above : others).push_back(x[i]);
    if (i == 0 || x[i] != x[i - 1]) runs.push_back(x[i]);
  }
  std::vector<T> both = above;
  both.insert(both.end(), others.begin(), others.end());
  int calls = 0;
  for (const Implementation* i : host_rows("select")) {
    CAPTURE(i->name);
    const Options use{.use = i->name};
    // `wanted`, then what was there before; once with the count, once without waiting for it.
    const auto expect = [&](std::vector<T> wanted, std::size_t kept, auto waits, auto into) {
      try {
        std::vector<T> y(x.size(), T(-7));
        Array<T> out(ctx, y);
        Array<std::int64_t> count(ctx, std::vector<std::int64_t>{-7});
        wanted.resize(x.size(), T(-7));
        const std::int64_t got = waits(y);  // or refuses
        CHECK(got == static_cast<std::int64_t>(kept));
        CHECK(y == wanted);
        CHECK(ctx.last().implementation == i->name);
        into(out, count);
        CHECK(out.to_vector() == wanted);
        CHECK(count.to_vector()[0] == static_cast<std::int64_t>(kept));
        ++calls;
      } catch (const Unavailable&) {  // this path does not take such a case, and said why
      }
    };
    const greater predicate{T(1)};
    expect(
        above, above.size(), [&](auto& y) { return select(ctx, x, predicate, y, use); },
        [&](auto& y, auto& count) { select_into(ctx, x, predicate, y, count, use); });
    expect(
        above, above.size(), [&](auto& y) { return select_flagged(ctx, x, flags, std::span<T>(y), use); },
        [&](auto& y, auto& count) { select_flagged_into(ctx, x, flags, y, count, use); });
    expect(
        both, above.size(), [&](auto& y) { return partition(ctx, x, predicate, y, use); },
        [&](auto& y, auto& count) { partition_into(ctx, x, predicate, y, count, use); });
    expect(
        runs, runs.size(), [&](auto& y) { return unique(ctx, x, y, use); },
        [&](auto& y, auto& count) { unique_into(ctx, x, y, count, use); });
  }
  CHECK(calls >= 12);
}

TEST_CASE("a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const Array<float> x(ctx, small_numbers<float>(200000));
  Array<float> y(ctx, x.size());
  Array<std::int64_t> count(ctx, 1);
  const auto all = [&] {
    select_into(ctx, x, less{0.0f}, y, count);
    partition_into(ctx, x, less{0.0f}, y, count);
    unique_into(ctx, x, y, count);
  };
  all();
  const std::size_t before = ctx.allocations();
  all(), all();
  CHECK(ctx.allocations() == before);
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  // Nothing at all: the count is 0, and null pointers are fine.
  const View<const float> none{nullptr, 0};
  const View<float> nowhere{nullptr, 0};
  count(select(ctx, none, less{1.0f}, nowhere) == 0);
  count(select_flagged(ctx, none, View<const std::uint8_t>{nullptr, 0}, nowhere) == 0);
  count(partition(ctx, none, less{1.0f}, nowhere) == 0);
  count(unique(ctx, none, nowhere) == 0);
  std::vector<std::int64_t> counts{-7, -7};
  select_into(ctx, none, less{1.0f}, nowhere, counts);
  count(counts == std::vector<std::int64_t>{0, -7});
  // In place, and what lies behind the count stays.
  std::vector<int> x{5, 1, 5, 5, 2};
  count(select(ctx, x, equal{5}, x) == 3);
  count(x == std::vector<int>{5, 5, 5, 5, 2});
  count(unique(ctx, x, x) == 2);
  count(x == std::vector<int>{5, 2, 5, 5, 2});
  count(partition(ctx, x, less{5}, x) == 2);
  count(x == std::vector<int>{2, 2, 5, 5, 5});
  // Room for more than n; arrays of fixed size; constant data.
  const std::array<double, 4> constant{1, std::nan(""), std::nan(""), 1};
  std::array<double, 9> result{};
  count(unique(ctx, constant, result) == 4);  // a NaN equals nothing
  count(result[3] == 1 && result[4] == 0);
  count(select(ctx, constant, not_equal{1.0}, result) == 2);
  count(select(ctx, constant, not_equal{std::nan("")}, result) == 4);
  count(select(ctx, constant, equal{std::nan("")}, result) == 0);
  // −0 equals +0, and the first of them stays.
  const std::array<float, 3> zeros{-0.0f, 0.0f, -0.0f};
  std::array<float, 3> first{};
  count(unique(ctx, zeros, first) == 1 && std::signbit(first[0]));
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<float> memory(4096);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    std::fill(memory.begin(), memory.end(), 1.0f);
    float* const from = memory.data() + offset;
    count(select(ctx, View<const float>{from, 1000}, greater{0.0f}, View<float>{from + 1000, 1000}) == 1000);
  }
  CHECK(count.count == 22);
}

TEST_CASE("bad calls") {
  int bad_calls = 0;
  const auto of_type = [&]<class T>(T) {
    const auto of_form = [&](decltype(BadCalls<T>::call) call) {
      BadCalls<T> bad("select", call, true, bad_calls);
      bad.expect_common(true);
      T* const y = bad.y.data();
      for (const std::int64_t n : {0, 1, 31}) {
        bad.expect(bad.in, {y, n},
                   {"select: size of 'out' is " + std::to_string(n) + "; it must be at least 32"});
      }
      for (const int distance : {1, 2, 16, 31}) {
        const std::string by = std::to_string(distance * static_cast<int>(sizeof(T))) + " bytes ";
        bad.expect({y, 32}, {y + distance, 32},
                   {"select: 'out' overlaps 'in' by starting " + by + "after it"});
        bad.expect({y + distance, 32}, {y, 32},
                   {"select: 'out' overlaps 'in' by starting " + by + "before it"});
      }
    };
    of_form([](Context& ctx, View<const T> in, View<T> out, const Options& options) {
      select(ctx, in, less{T(5)}, out, options);
    });
    of_form([](Context& ctx, View<const T> in, View<T> out, const Options& options) {
      std::int64_t count = 0;
      partition_into(ctx, in, less{T(5)}, out, View<std::int64_t>{&count, 1}, options);
    });
    of_form([](Context& ctx, View<const T> in, View<T> out, const Options& options) {
      unique(ctx, in, out, options);
    });
  };
  of_type(float()), of_type(double()), of_type(half()), of_type(bfloat16());
  of_type(std::int8_t()), of_type(std::int32_t()), of_type(std::int64_t());
  of_type(std::uint8_t()), of_type(std::uint32_t()), of_type(std::uint64_t());
  MESSAGE(bad_calls, " bad calls of ten types");
  CHECK(bad_calls >= 10 * 50);

  Context ctx = Context::host();
  const std::vector<float> x{1, 2, 3, 4};
  std::vector<float> y(4, -7);
  std::int64_t count = -7;
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(y, call, {part});
    CHECK(count == -7);
  };
  const std::vector<std::uint8_t> flags(3, 1);
  bad(
      [&] {
        select_into(ctx, x, less{9.0f}, y, View<std::int64_t>{&count, 0});
      },
      "select: size of 'count' is 0; it must be at least 1");
  bad([&] { select_into(ctx, x, less{9.0f}, y, View<std::int64_t>{nullptr, 1}); }, "select: 'count' is null");
  bad([&] { select_flagged(ctx, x, flags, y); },
      "select: size of 'flags' is 3; it must be 4, the size of 'in'");
  bad([&] { select_flagged(ctx, x, View<const std::uint8_t>{nullptr, 4}, y); }, "select: 'flags' is null");
  bad(
      [&] {
        select_flagged(ctx, x, View<const std::uint8_t>{reinterpret_cast<std::uint8_t*>(y.data()), 4}, y);
      },
      "select: 'out' overlaps 'flags'");
  std::vector<std::int64_t> numbers(4);
  bad(
      [&] {
        select_into(ctx, numbers, less{std::int64_t{9}}, numbers, View<std::int64_t>{&numbers[1], 1});
      },
      "select: 'count' overlaps 'in'");
  // Paths that cannot work in place say so.
  std::vector<float> z = x;
  const std::string message =
      thrown<Unavailable>([&] { unique(ctx, z, z, {.use = "select/custom/one_pass"}); });
  CHECK(contains(message, "unique in place: a chunk looks at the element before it"));
  CHECK(z == x);
}

TEST_SUITE_END();

}  // namespace tandem
