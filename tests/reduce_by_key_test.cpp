// reduce_by_key and reduce_by_key_into by their public functions: right calls of every type, operator and type of key; odd
// but legal ones; and bad ones, each of which throws the right exception, names operation, argument and value, and leaves
// outputs untouched.

#include <cmath>
#include <limits>

#include "lib/core/registry.h"
#include "tandem/tandem.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

template <class F>
void for_each_of_three(F f) {
  f(plus), f(minimum), f(maximum);
}

/// Lengths of runs: one element, some, and one longer than all others.
std::vector<std::int64_t> run_lengths() {
  std::vector<std::int64_t> all;
  for (std::int64_t r = 0; r < 700; ++r) all.push_back(1 + r % 11);
  all.push_back(3000);
  for (std::int64_t r = 0; r < 300; ++r) all.push_back(1);
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("reduce_by_key");

TEST_CASE_TEMPLATE("all paths, operators and types of keys", T, float, double, std::int32_t, std::int64_t,
                   std::uint32_t, std::uint64_t, half, bfloat16, std::int8_t, std::uint8_t) {
  using Acc = accumulator_t<T>;
  Context ctx = Context::host();
  const std::vector<std::int64_t> lengths = run_lengths();
  std::int64_t n = 0;
  for (const std::int64_t length : lengths) n += length;
  const std::vector<T> x = small_numbers<T>(static_cast<std::size_t>(n));
  int calls = 0;
  for (const Implementation* i : host_rows("reduce_by_key")) {
    CAPTURE(i->name);
    const Options use{.use = i->name};
    for_each_of_three([&]<class Op>(Op op) {
      const auto of_keys = [&]<class Key>(Key) {
        std::vector<Key> keys, firsts;
        std::vector<Acc> wanted;
        for (const std::int64_t length : lengths) {
          firsts.push_back(static_cast<Key>(3 + firsts.size() % 2));
          Acc total = Op::template identity<Acc>();
          for (std::int64_t k = 0; k < length; ++k) {
            total = op(total, static_cast<Acc>(x[keys.size()]));
            keys.push_back(firsts.back());
          }
          wanted.push_back(total);
        }
        const std::size_t runs = lengths.size();
        for (const bool waits : {true, false}) {
          std::vector<Key> keys_out(x.size(), Key(7));
          std::vector<Acc> y(x.size(), Acc(-7));
          std::vector<std::int64_t> count{-7, -7};
          try {
            if (waits)
              count[0] = reduce_by_key(ctx, keys, x, keys_out, y, op, use);
            else
              reduce_by_key_into(ctx, keys, x, keys_out, y, count, op, use);
          } catch (const Unavailable&) {  // this path does not take such a case, and said why
            continue;
          }
          ++calls;
          CHECK(ctx.last().implementation == i->name);
          CHECK(count[0] == static_cast<std::int64_t>(runs));
          CHECK(count[1] == -7);
          CHECK(std::equal(wanted.begin(), wanted.end(), y.begin()));
          CHECK(std::equal(firsts.begin(), firsts.end(), keys_out.begin()));
          CHECK(std::count(y.begin() + lengths.size(), y.end(), Acc(-7)) ==
                n - static_cast<std::int64_t>(runs));
          CHECK(std::count(keys_out.begin() + lengths.size(), keys_out.end(), Key(7)) ==
                n - static_cast<std::int64_t>(runs));
        }
      };
      of_keys(std::uint32_t()), of_keys(double());
      if (Op::id != OperatorId::plus) return;
      of_keys(std::int32_t()), of_keys(std::uint64_t()), of_keys(std::int64_t()), of_keys(float());
    });
  }
  CHECK(calls >= 40);
}

TEST_CASE("unsigned integers have no sign; narrow elements are reduced in their accumulators") {
  Context ctx = Context::host();
  const std::vector<std::int32_t> keys{1, 1, 1};
  std::vector<std::int32_t> found(3);
  const std::vector<std::uint32_t> high{1, 0xffffffffu, 0x80000000u};
  std::vector<std::uint32_t> words(3);
  CHECK(reduce_by_key(ctx, keys, high, found, words, maximum) == 1);
  CHECK(words[0] == 0xffffffffu);
  reduce_by_key(ctx, keys, high, found, words);
  CHECK(words[0] == 0x80000000u);
  std::vector<std::int32_t> whole(3);
  reduce_by_key(ctx, keys, std::vector<std::uint8_t>{200, 200, 200}, found, whole);
  CHECK(whole[0] == 600);
  reduce_by_key(ctx, keys, std::vector<std::int8_t>{-100, -100, 3}, found, whole);
  CHECK(whole[0] == -197);
  std::vector<float> sums(3);
  reduce_by_key(ctx, keys, std::vector<half>{half(60000.0f), half(60000.0f), half(1.0f)}, found, sums);
  CHECK(sums[0] == 120001);
  reduce_by_key(ctx, keys, std::vector<bfloat16>{bfloat16(256.0f), bfloat16(1.0f), bfloat16(2.0f)}, found,
                sums);
  CHECK(sums[0] == 259);
}

TEST_CASE("keys are compared as C++ compares them, and keep their bits") {
  Context ctx = Context::host();
  const std::vector<int> x{1, 2, 3, 4, 5, 6};
  std::vector<int> y(6);
  const double nan = std::nan("");
  std::vector<double> keys(6);
  CHECK(reduce_by_key(ctx, std::vector<double>{nan, nan, -0.0, 0.0, 1, 1}, x, keys, y) == 4);
  CHECK(std::equal(y.begin(), y.begin() + 4, std::vector<int>{1, 2, 7, 11}.begin()));
  CHECK(
      (std::isnan(keys[0]) && std::isnan(keys[1]) && keys[2] == 0 && std::signbit(keys[2]) && keys[3] == 1));
  // Only neighbours count; keys differ in their highest bits alone.
  std::vector<std::uint64_t> wide(6);
  const std::uint64_t high = 1 + (1ull << 63);
  CHECK(reduce_by_key(ctx, std::vector<std::uint64_t>{1, 1, high, 1, 1, 1}, x, wide, y) == 3);
  CHECK((wide[0] == 1 && wide[1] == high && wide[2] == 1 && y[0] == 3 && y[1] == 3 && y[2] == 15));
}

TEST_CASE("after a sort, one value for each key") {
  Context ctx = Context::host();
  std::vector<std::uint32_t> keys{3, 1, 3, 2, 1, 3}, found(6);
  std::vector<float> x{1, 2, 4, 8, 16, 32}, y(6);
  sort_by_key(ctx, keys, x);
  CHECK(reduce_by_key(ctx, keys, x, found, y) == 3);
  CHECK((found[0] == 1 && found[1] == 2 && found[2] == 3 && y[0] == 18 && y[1] == 8 && y[2] == 37));
}

TEST_CASE("a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const Array<float> x(ctx, small_numbers<float>(300'000));
  const Array<std::uint32_t> keys(ctx, std::vector<std::uint32_t>(300'000, 3));
  Array<float> y(ctx, 300'000);
  Array<std::uint32_t> found(ctx, 300'000);
  CHECK(reduce_by_key(ctx, keys, x, found, y) == 1);
  const std::size_t before = ctx.allocations();
  for (int i = 0; i < 3; ++i) CHECK(reduce_by_key(ctx, keys, x, found, y, maximum) == 1);
  CHECK(ctx.allocations() == before);
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  // No elements: null pointers, too, and the count is written.
  std::vector<std::int64_t> runs{-7};
  reduce_by_key_into(ctx, View<const int>{nullptr, 0}, View<const float>{nullptr, 0}, View<int>{nullptr, 0},
                     View<float>{nullptr, 0}, runs);
  count(runs[0] == 0);
  count(reduce_by_key(ctx, std::vector<int>{}, std::vector<float>{}, std::vector<int>(3),
                      std::vector<float>(3)) == 0);
  // A NaN stays in its run; integers wrap; more room than elements.
  std::vector<int> keys(9, -7);
  std::vector<double> z(9, -7);
  const std::vector<double> x{1, std::nan(""), 2, 3};
  for_each_of_three([&](auto op) {
    count(reduce_by_key(ctx, std::vector<int>{1, 1, 2, 2}, x, keys, z, op) == 2);
    count(std::isnan(z[0]) && z[1] == op(2.0, 3.0) && z[2] == -7 && keys[2] == -7);
  });
  std::vector<int> sum(2);
  const std::vector<int> large{std::numeric_limits<int>::max(), 1};
  count(reduce_by_key(ctx, std::vector<int>{4, 4}, large, keys, sum) == 1 && keys[0] == 4);
  count(sum[0] == std::numeric_limits<int>::min());
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<int> memory(4096);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    std::fill(memory.begin(), memory.end(), 1);
    int* const from = memory.data() + offset;
    count(reduce_by_key(ctx, View<const int>{from, 1000}, View<const int>{from, 1000},
                        View<int>{from + 1000, 1000}, View<int>{from + 2000, 1000}) == 1);
    count(from[999] == 1 && from[1000] == 1 && from[2000] == 1000 && from[2001] == 1);
  }
  CHECK(count.count == 20);
}

TEST_CASE("bad calls") {
  int bad_calls = 0;
  const auto of_type = [&]<class T>(T) {
    BadCalls<T> bad(
        "reduce_by_key",
        [](Context& ctx, View<const T> in, View<T> out, const Options& options) {
          static const std::vector<std::uint32_t> keys(64, 1);
          static std::vector<std::uint32_t> keys_out(64);
          static std::vector<std::int64_t> count(1);
          const std::int64_t n = std::min<std::int64_t>(std::max<std::int64_t>(in.size, 0), 32);
          reduce_by_key_into(ctx, View<const std::uint32_t>{keys.data(), n}, in, keys_out, out, count,
                             options);
        },
        true, bad_calls);
    bad.expect_common(true);
    T* const y = bad.y.data();
    for (const std::int64_t n : {0, 31}) {
      bad.expect(bad.in, {y, n},
                 {"reduce_by_key: size of 'out' is " + std::to_string(n) +
                  "; it must be at least 32, the size of 'keys'"});
    }
    for (const std::int64_t n : {33, 64})
      bad.expect({bad.x.data(), n}, bad.out, {"reduce_by_key: size of 'in' is " + std::to_string(n)});
    for (const int distance : {0, 1, 16, 31})
      bad.expect({y, 32}, {y + distance, 32}, {"reduce_by_key: 'out' overlaps 'in'"});
    bad.expect(bad.in, bad.out, {"reduce_by_key: bits is portable; only reduce"}, {.bits = portable});
  };
  of_type(float()), of_type(double()), of_type(std::int32_t()), of_type(std::int64_t());
  of_type(std::uint32_t()), of_type(std::uint64_t());
  CHECK(bad_calls >= 75);

  // Keys, results and count, each of them int64, in one piece of memory that stays as it is.
  Context ctx = Context::host();
  using Numbers = std::vector<std::int64_t>;
  Numbers m(64, 1);
  const auto bad = [&](View<const std::int64_t> keys, View<std::int64_t> keys_out, View<std::int64_t> count,
                       const std::string& part) {
    const Numbers in(4, 1);
    View<std::int64_t> out{m.data() + 40, 4};
    const auto call = [&] { reduce_by_key_into(ctx, keys, in, keys_out, out, count); };
    expect_refused<InvalidArgument>(m, call, {"reduce_by_key: " + part});
  };
  const View<const std::int64_t> keys{m.data(), 4};
  const View<std::int64_t> keys_out{m.data() + 10, 4}, count{m.data() + 20, 1};
  bad({nullptr, 4}, keys_out, count, "'keys' is null, but its size is 4");
  bad({m.data(), -1}, keys_out, count, "size of 'keys' is -1; it must be at least 0");
  bad({m.data(), 5}, keys_out, count, "size of 'in' is 4");
  bad({m.data(), 3}, keys_out, count, "size of 'in' is 4");
  bad({shifted(m.data(), 4), 4}, keys_out, count, "'keys' starts at 0x");
  bad(keys, {nullptr, 4}, count, "'keys_out' is null, but its size is 4");
  bad(keys, {m.data() + 10, 3}, count, "size of 'keys_out' is 3; it must be at least 4, the size of 'keys'");
  bad(keys, {m.data() + 10, -2}, count, "size of 'keys_out' is -2; it must be at least 0");
  bad(keys, keys_out, {nullptr, 1}, "'count' is null, but its size is 1");
  bad(keys, keys_out, {m.data() + 20, 0}, "size of 'count' is 0; it must be at least 1");
  for (const int at : {0, 1, 3}) bad(keys, {m.data() + at, 4}, count, "'keys_out' overlaps 'keys'");
  for (const int at : {38, 40, 43}) bad(keys, {m.data() + at, 4}, count, "'out' overlaps 'keys_out'");
  for (const int at : {0, 3}) bad(keys, keys_out, {m.data() + at, 1}, "'count' overlaps 'keys'");
  for (const int at : {10, 13}) bad(keys, keys_out, {m.data() + at, 1}, "'count' overlaps 'keys_out'");
  for (const int at : {40, 43}) bad(keys, keys_out, {m.data() + at, 1}, "'count' overlaps 'out'");
}

TEST_SUITE_END();

}  // namespace tandem
