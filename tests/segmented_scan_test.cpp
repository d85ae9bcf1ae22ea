// segmented_inclusive_scan, segmented_exclusive_scan, inclusive_scan_by_key and exclusive_scan_by_key by their public
// functions: right calls of every type, operator, form and type of key; odd but legal ones; and bad ones, each of which
// throws the right exception, names operation, argument and value, and leaves outputs untouched.

#include <cmath>
#include <limits>

#include "lib/ops/scan/contract.h"
#include "tandem/tandem.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

using Offsets = std::vector<std::int64_t>;

template <class T, class Op>
void scan_segment(const std::vector<T>& x, std::int64_t begin, std::int64_t end, Op op, bool exclusive,
                  T init, std::vector<T>& y) {
  const auto part = scanned(std::vector<T>(x.begin() + begin, x.begin() + end), op, exclusive, init);
  std::copy(part.begin(), part.end(), y.begin() + begin);
}
template <class T, class Op>
T identity() {
  using C = Scan::Case<T, Op>;
  return C::result(C::identity());
}
/// What lies outside all segments stays −7.
template <class T, class Op>
std::vector<T> scanned_by(const std::vector<T>& x, const Offsets& offsets, Op op, bool exclusive,
                          T init = identity<T, Op>()) {
  std::vector<T> y(x.size(), T(-7));
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    scan_segment(x, offsets[s], offsets[s + 1], op, exclusive, init, y);
  return y;
}

/// From 5 on: empty ones at both ends and in runs, one element, some, and one longer than all others.
Offsets ragged_offsets() {
  Offsets all{5, 5, 5};
  const auto add = [&](std::int64_t length) { all.push_back(all.back() + length); };
  for (std::int64_t s = 0; s < 1000; ++s) add(s % 7 < 3 ? 0 : s % 11);
  add(3000);
  for (std::int64_t s = 0; s < 300; ++s) add(1);
  add(0), add(0);
  return all;
}

template <class F>
void for_each_of_three(F f) {
  f(plus), f(minimum), f(maximum);
}

}  // namespace

TEST_SUITE_BEGIN("segmented_scan");

TEST_CASE_TEMPLATE("all paths, operators and forms", T, float, double, std::int32_t, std::int64_t,
                   std::uint32_t, std::uint64_t, half, bfloat16, std::int8_t, std::uint8_t) {
  Context ctx = Context::host();
  const Offsets offsets = ragged_offsets();
  const std::vector<T> x = small_numbers<T>(static_cast<std::size_t>(offsets.back() + 5));
  const Segments segments(ctx, offsets), unchecked = Segments::unchecked(offsets);
  // The same segments as runs of keys; what lies outside is a run of its own.
  Offsets runs{0};
  for (const std::int64_t offset : offsets) {
    if (offset > runs.back()) runs.push_back(offset);
  }
  runs.push_back(static_cast<std::int64_t>(x.size()));
  const T init(3);
  int calls = 0;
  for (const Implementation* i : host_rows("segmented_scan")) {
    CAPTURE(i->name);
    const Options use{.use = i->name};
    const auto expect = [&](const std::vector<T>& wanted, auto call) {
      for (const bool in_place : {false, true}) {
        std::vector<T> y = in_place ? x : std::vector<T>(x.size(), T(-7));
        const std::vector<T> before = y;
        try {
          call(in_place ? y : x, y);
          std::vector<T> right = wanted;
          for (std::size_t k = 0; k < x.size(); ++k) {
            if (wanted[k] == T(-7) && (k < 5 || k + 5 >= x.size())) right[k] = before[k];
          }
          CHECK(y == right);
          CHECK(ctx.last().implementation == i->name);
          ++calls;
        } catch (const Unavailable&) {  // this path does not take such a case, and said why
        }
      }
    };
    for_each_of_three([&]<class Op>(Op op) {
      const std::vector<T> inclusive = scanned_by(x, offsets, op, false),
                           exclusive = scanned_by(x, offsets, op, true),
                           begun = scanned_by(x, offsets, op, true, init);
      for (const Segments* s : {&segments, &unchecked}) {
        expect(inclusive, [&](auto& from, auto& y) { segmented_inclusive_scan(ctx, from, *s, y, op, use); });
        expect(exclusive, [&](auto& from, auto& y) { segmented_exclusive_scan(ctx, from, *s, y, op, use); });
        expect(begun,
               [&](auto& from, auto& y) { segmented_exclusive_scan(ctx, from, *s, y, op, init, use); });
      }
      for (const std::int64_t length : {1, 3, 32, 5000}) {
        const std::int64_t count = static_cast<std::int64_t>(x.size()) / length;
        Offsets equal;
        for (std::int64_t s = 0; s <= count; ++s) equal.push_back(s * length);
        std::vector<T> wanted = scanned_by(x, equal, op, false);
        std::vector<T> y(x.size(), T(-7));
        try {
          segmented_inclusive_scan(ctx, x, Segments::equal(count, length), y, op, use);
          CHECK(y == wanted);
          wanted = scanned_by(x, equal, op, true);
          segmented_exclusive_scan(ctx, x, Segments::equal(count, length), y, op, use);
          CHECK(y == wanted);
          wanted = scanned_by(x, equal, op, true, init);
          segmented_exclusive_scan(ctx, x, Segments::equal(count, length), y, op, init, use);
          CHECK(y == wanted);
          ++calls;
        } catch (const Unavailable&) {
        }
      }
      const auto by_key = [&]<class Key>(Key) {
        std::vector<Key> keys(x.size());
        for (std::size_t r = 0; r + 1 < runs.size(); ++r)
          std::fill(keys.begin() + runs[r], keys.begin() + runs[r + 1], static_cast<Key>(3 + r % 2));
        const std::vector<T> of_runs = scanned_by(x, runs, op, false), before = scanned_by(x, runs, op, true),
                             of_init = scanned_by(x, runs, op, true, init);
        std::vector<T> y(x.size(), T(-7));
        try {
          inclusive_scan_by_key(ctx, keys, x, y, op, use);
          CHECK(y == of_runs);
          exclusive_scan_by_key(ctx, keys, x, y, op, use);
          CHECK(y == before);
          y = x;
          exclusive_scan_by_key(ctx, keys, y, y, op, use);
          CHECK(y == before);
          exclusive_scan_by_key(ctx, keys, x, y, op, init, use);
          CHECK(y == of_init);
          y = x;
          exclusive_scan_by_key(ctx, keys, y, y, op, init, use);
          CHECK(y == of_init);
          ++calls;
        } catch (const Unavailable&) {
        }
      };
      by_key(std::uint32_t()), by_key(double());
      if (Op::id != OperatorId::plus) return;
      by_key(std::int32_t()), by_key(std::uint64_t()), by_key(std::int64_t()), by_key(float());
    });
  }
  CHECK(calls >= 72);
}

TEST_CASE("unsigned integers have no sign; results of narrow elements are rounded or wrapped once") {
  Context ctx = Context::host();
  const Segments pairs = Segments::equal(2, 2);
  std::vector<std::uint32_t> words(4);
  const std::vector<std::uint32_t> high{1, 0xffffffffu, 0x80000000u, 0x80000001u};
  segmented_inclusive_scan(ctx, high, pairs, words);
  CHECK(words == std::vector<std::uint32_t>{1, 0, 0x80000000u, 1});
  segmented_inclusive_scan(ctx, high, pairs, words, maximum);
  CHECK(words == std::vector<std::uint32_t>{1, 0xffffffffu, 0x80000000u, 0x80000001u});
  segmented_exclusive_scan(ctx, high, pairs, words, minimum);
  CHECK(words == std::vector<std::uint32_t>{0xffffffffu, 1, 0xffffffffu, 0x80000000u});
  // In half itself ones count to 2048.
  const std::vector<half> ones(6000, half(1.0f));
  std::vector<half> counts(ones.size());
  segmented_inclusive_scan(ctx, ones, Segments::equal(2, 3000), counts);
  CHECK(counts[3000 + 2048] == 2048);  // 2049 is a tie, to even
  CHECK(counts[3000 + 2049] == 2050);
  CHECK(counts[5999] == 3000);
  const std::vector<int> key{1, 1, 1};
  std::vector<half> sums(3);
  inclusive_scan_by_key(ctx, key, std::vector<half>{half(60000.0f), half(60000.0f), half(-60000.0f)}, sums);
  CHECK((sums[1] == INFINITY && sums[2] == 60000));  // the infinity was that of a result alone
  std::vector<std::uint8_t> bytes(3);
  exclusive_scan_by_key(ctx, key, std::vector<std::uint8_t>{200, 200, 200}, bytes, plus, 7);
  CHECK(bytes == std::vector<std::uint8_t>{7, 207, 151});
  // The identity is that of the elements' type.
  std::vector<std::int8_t> least(3);
  exclusive_scan_by_key(ctx, key, std::vector<std::int8_t>{5, 4, 6}, least, minimum);
  CHECK(least == std::vector<std::int8_t>{127, 5, 4});
}

TEST_CASE("keys are compared as C++ compares them") {
  Context ctx = Context::host();
  const std::vector<int> x(6, 1);
  std::vector<int> y(6);
  const double nan = std::nan("");
  inclusive_scan_by_key(ctx, std::vector<double>{nan, nan, 0.0, -0.0, 1, 1}, x, y);
  CHECK(y == std::vector<int>{1, 1, 1, 2, 1, 2});
  // Only neighbours count; keys differ in their highest bits alone.
  inclusive_scan_by_key(ctx, std::vector<std::uint64_t>{1, 1, 1 + (1ull << 63), 1, 1, 1}, x, y);
  CHECK(y == std::vector<int>{1, 2, 1, 1, 2, 3});
  exclusive_scan_by_key(ctx, std::vector<float>{2, 2, 2, 2, 2, 2}, x, y);
  CHECK(y == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a call of a known size allocates nothing") {
  Context ctx = Context::host();
  Array<float> x(ctx, small_numbers<float>(300'000));
  Offsets offsets{0};
  while (offsets.back() < 299'000)
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(offsets.size()) % 9);
  const Segments segments(ctx, offsets);
  const Array<std::uint32_t> keys(ctx, std::vector<std::uint32_t>(300'000, 3));
  Array<float> y(ctx, 300'000);
  const auto all = [&] {
    segmented_inclusive_scan(ctx, x, segments, y);
    exclusive_scan_by_key(ctx, keys, x, x);
  };
  all();
  const std::size_t before = ctx.allocations();
  all(), all();
  CHECK(ctx.allocations() == before);
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  const View<const float> none{nullptr, 0};
  const View<float> no_results{nullptr, 0};
  // No segments, whatever there is; segments without elements; no elements.
  std::vector<float> y(9, -7);
  segmented_inclusive_scan(ctx, none, Segments(ctx, Offsets{0}), no_results);
  segmented_exclusive_scan(ctx, none, Segments::equal(0, 5), no_results);
  segmented_inclusive_scan(ctx, none, Segments(ctx, Offsets{0, 0, 0}), no_results);
  inclusive_scan_by_key(ctx, View<const std::uint32_t>{nullptr, 0}, none, no_results);
  segmented_inclusive_scan(ctx, std::vector<float>(9), Segments(ctx, Offsets{7}), y);
  segmented_exclusive_scan(ctx, std::vector<float>(9), Segments(ctx, Offsets{3, 3, 3}), y);
  segmented_inclusive_scan(ctx, std::vector<float>(9), Segments::equal(3, 0), y);
  count(y == std::vector<float>(9, -7));
  // A NaN stays in its segment, from where it is on; integers wrap.
  const std::vector<double> x{1, std::nan(""), 2, 3};
  std::vector<double> z(4);
  for_each_of_three([&](auto op) {
    segmented_inclusive_scan(ctx, x, Segments::equal(2, 2), z, op);
    count(z[0] == 1 && std::isnan(z[1]) && z[2] == 2 && z[3] == op(2.0, 3.0));
  });
  std::vector<int> sums(2);
  segmented_inclusive_scan(ctx, std::vector<int>{std::numeric_limits<int>::max(), 1}, Segments::equal(1, 2),
                           sums);
  count(sums[1] == std::numeric_limits<int>::min());
  // An exclusive scan begins with the identity.
  std::vector<float> e(3);
  exclusive_scan_by_key(ctx, std::vector<int>{1, 1, 2}, std::vector<float>{5, 6, 7}, e, minimum);
  const float top = std::numeric_limits<float>::infinity();
  count(e == std::vector<float>{top, 5, top});
  // Or with what is given: NaN, −0, the identity, and what wraps.
  const std::vector<int> pairs_of_keys{1, 1, 2};
  exclusive_scan_by_key(ctx, pairs_of_keys, std::vector<float>{5, 6, 7}, e, plus, std::nanf(""));
  count(std::isnan(e[0]) && std::isnan(e[1]) && std::isnan(e[2]));
  exclusive_scan_by_key(ctx, pairs_of_keys, std::vector<float>{-0.0f, 6, 7}, e, plus, -0.0f);
  count(std::signbit(e[0]) && std::signbit(e[1]) && std::signbit(e[2]));
  std::vector<float> without(3), with_identity(3);
  exclusive_scan_by_key(ctx, pairs_of_keys, std::vector<float>{5, 6, 7}, without);
  exclusive_scan_by_key(ctx, pairs_of_keys, std::vector<float>{5, 6, 7}, with_identity, plus, 0);
  count(without == with_identity);
  segmented_exclusive_scan(ctx, std::vector<int>{1, 1}, Segments::equal(1, 2), sums, plus,
                           std::numeric_limits<int>::max());
  count(sums[0] == std::numeric_limits<int>::max() && sums[1] == std::numeric_limits<int>::min());
  // Segments without elements have no place for an initial value.
  segmented_exclusive_scan(ctx, std::vector<float>(9), Segments(ctx, Offsets{3, 3, 3}), y, plus, 5);
  count(y == std::vector<float>(9, -7));
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<float> memory(4096);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    std::fill(memory.begin(), memory.end(), 1.0f);
    float* const from = memory.data() + offset;
    segmented_inclusive_scan(ctx, View<const float>{from, 1000}, Segments::equal(100, 10),
                             View<float>{from + 1000, 1000});
    count(from[999] == 1 && from[1000] == 1 && from[1009] == 10 && from[1010] == 1 && from[1999] == 10 &&
          from[2000] == 1);
  }
  CHECK(count.count == 16);
}

TEST_CASE("bad calls") {
  int bad_calls = 0;
  const auto of_type = [&]<class T>(T) {
    BadCalls<T> of_segments(
        "segmented_scan",
        [](Context& ctx, View<const T> in, View<T> out, const Options& options) {
          segmented_inclusive_scan(ctx, in, Segments::equal(1, 1), out, options);
        },
        true, bad_calls);
    BadCalls<T> by_key(
        "segmented_scan",
        [](Context& ctx, View<const T> in, View<T> out, const Options& options) {
          static const std::vector<std::int64_t> keys(64, 1);
          exclusive_scan_by_key(ctx, View<const std::int64_t>{keys.data(), in.size}, in, out, options);
        },
        true, bad_calls);
    of_segments.expect_common(true);
    for (BadCalls<T>* bad : {&of_segments, &by_key}) {
      T* const y = bad->y.data();
      for (const std::int64_t n : {0, 31, 33})
        bad->expect(bad->in, {y, n}, {"segmented_scan: size of 'out' is " + std::to_string(n)});
      for (const int distance : {1, 16, 31})
        bad->expect({y, 32}, {y + distance, 32}, {"segmented_scan: 'out' overlaps 'in'"});
      bad->expect(bad->in, bad->out, {"segmented_scan: bits is portable; only reduce"}, {.bits = portable});
      bad->expect({nullptr, 32}, bad->out, {"'in' is null, but its size is 32"});
    }
  };
  of_type(float()), of_type(double()), of_type(std::int32_t()), of_type(std::int64_t());
  of_type(std::uint32_t()), of_type(std::uint64_t()), of_type(half());
  CHECK(bad_calls >= 80);

  Context ctx = Context::host();
  const std::vector<float> x{1, 2, 3, 4};
  std::vector<float> y(4, -7);
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(y, call, {part});
  };
  const auto bad_offsets = [&](const Offsets& offsets, const std::string& part) {
    bad([&] { segmented_inclusive_scan(ctx, x, Segments(ctx, offsets), y); }, part);
  };
  bad_offsets({0, 3, 2, 3, 4}, "Segments: offset 2 is 2; it must be at least 3, which is offset 1");
  bad_offsets({0, 1, 2, 3, 5}, "segmented_scan: offset 4 is 5; 'in' has 4 elements");
  bad([&] { segmented_exclusive_scan(ctx, x, Segments::equal(5, 1), y); },
      "segmented_scan: 5 segments of 1 elements are 5; 'in' has 4 elements");
  bad(
      [&] {
        segmented_inclusive_scan(ctx, x, Segments::unchecked({nullptr, 5}), y);
      },
      "segmented_scan: 'offsets' is null, but its size is 5");
  // Inclusive scans take no initial value; C++ has no call that gives them one, but Python and the command line do.
  const float init = 2;
  bad([&] { detail::segmented_scan(ctx, x, Segments::equal(2, 2), y, plus, false, &init, {}); },
      "segmented_scan: init is given to an inclusive scan; only exclusive ones take it");
  bad([&] { detail::scan_by_key(ctx, x, x, y, plus, false, &init, {}); },
      "segmented_scan: init is given to an inclusive scan; only exclusive ones take it");
  bad([&] { segmented_exclusive_scan(ctx, x, Segments::equal(5, 1), y, plus, 2); },
      "segmented_scan: 5 segments of 1 elements are 5; 'in' has 4 elements");
  const auto bad_keys = [&](View<const std::uint64_t> keys, const std::string& part) {
    bad([&] { inclusive_scan_by_key(ctx, keys, x, y); }, "segmented_scan: " + part);
  };
  const std::vector<std::uint64_t> keys(5, 1);
  bad_keys({nullptr, 4}, "'keys' is null, but its size is 4");
  bad_keys({keys.data(), -1}, "size of 'keys' is -1; it must be at least 0");
  bad_keys({keys.data(), INT64_MAX}, "size of 'keys' is 9223372036854775807");
  for (const std::int64_t n : {0, 3, 5}) bad_keys({keys.data(), n}, "size of 'keys' is " + std::to_string(n));
  for (const int bytes : {1, 2, 4, 7}) bad_keys({shifted(keys.data(), bytes), 4}, "'keys' starts at 0x");
  // Results on top of the keys or the offsets.
  std::vector<std::int64_t> numbers{0, 1, 2, 3, 4};
  const std::vector<std::int64_t> in(4, 1);
  for (const int distance : {0, 1}) {
    expect_refused<InvalidArgument>(
        numbers,
        [&] {
          inclusive_scan_by_key(ctx, View<const std::int64_t>{numbers.data(), 4}, in,
                                View<std::int64_t>{&numbers[static_cast<std::size_t>(distance)], 4});
        },
        {"segmented_scan: 'out' overlaps 'keys'"});
  }
  expect_refused<InvalidArgument>(
      numbers,
      [&] {
        segmented_inclusive_scan(ctx, in, Segments::unchecked(numbers), View<std::int64_t>{&numbers[1], 4});
      },
      {"segmented_scan: 'out' overlaps 'offsets'"});
  // Paths that cannot take such segments say so.
  for (const Implementation* i : matching("segmented_scan/custom/thread_per_segment@simt")) {
    const std::string message = thrown<Unavailable>(
        [&] { inclusive_scan_by_key(ctx, std::vector<int>(4, 1), x, y, {.use = i->name}); });
    CHECK(contains(message, "takes offsets or one length, not keys"));
  }
}

TEST_SUITE_END();

}  // namespace tandem
