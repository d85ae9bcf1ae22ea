// Segments, segmented_reduce and reduce_axis by their public functions: right calls of every type, operator and form; odd
// but legal ones; and bad ones, each of which throws the right exception, names operation, argument and value, and leaves
// outputs untouched.

#include <cmath>
#include <limits>

#include "lib/core/registry.h"
#include "tandem/tandem.h"
#include "tests/array_calls.h"
#include "tests/matrix_calls.h"

namespace tandem {
namespace {

using Offsets = std::vector<std::int64_t>;

template <class T, class Op>
std::vector<accumulator_t<T>> reduced(const std::vector<T>& x, const Offsets& offsets, Op op) {
  using Acc = accumulator_t<T>;
  std::vector<Acc> results;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    Acc total = Op::template identity<Acc>();
    for (std::int64_t i = offsets[s]; i < offsets[s + 1]; ++i)
      total = op(total, static_cast<Acc>(x[static_cast<std::size_t>(i)]));
    results.push_back(total);
  }
  return results;
}

/// From 5 on: empty ones at both ends and in runs, one element, some, and one longer than all others.
Offsets ragged_offsets() {
  Offsets all{5, 5, 5};
  const auto add = [&](std::int64_t length) { all.push_back(all.back() + length); };
  for (std::int64_t s = 0; s < 1000; ++s) add(s % 7 < 3 ? 0 : s % 11);
  add(20'000);
  for (std::int64_t s = 0; s < 300; ++s) add(1);
  add(0), add(0);
  return all;
}

template <class F>
void for_each_of_three(F f) {
  f(plus), f(minimum), f(maximum);
}

}  // namespace

TEST_SUITE_BEGIN("segmented_reduce");

TEST_CASE_TEMPLATE("all paths, operators and forms", T, float, double, std::int32_t, std::int64_t,
                   std::uint32_t, std::uint64_t, half, bfloat16, std::int8_t, std::uint8_t) {
  using Acc = accumulator_t<T>;
  Context ctx = Context::host();
  const Offsets offsets = ragged_offsets();
  const std::vector<T> x = small_numbers<T>(static_cast<std::size_t>(offsets.back() + 5));
  const Segments segments(ctx, offsets), unchecked = Segments::unchecked(offsets);
  int calls = 0;
  for (const Implementation* i : host_rows("segmented_reduce")) {
    CAPTURE(i->name);
    const Options use{.use = i->name};
    const auto expect = [&](const std::vector<Acc>& wanted, auto call) {
      std::vector<Acc> y(wanted.size(), Acc(-7));
      try {
        call(y);
        CHECK(y == wanted);
        CHECK(ctx.last().implementation == i->name);
        ++calls;
      } catch (const Unavailable&) {  // this path does not take such a case, and said why
      }
    };
    for_each_of_three([&]<class Op>(Op op) {
      const std::vector<Acc> by_offsets = reduced(x, offsets, op);
      expect(by_offsets, [&](auto& y) { segmented_reduce(ctx, x, segments, y, op, use); });
      expect(by_offsets, [&](auto& y) { segmented_reduce(ctx, x, unchecked, y, op, use); });
      for (const std::int64_t length : {1, 3, 4, 32, 100, 5000}) {
        Offsets equal;
        for (std::int64_t o = 0; o <= static_cast<std::int64_t>(x.size()) && equal.size() < 500; o += length)
          equal.push_back(o);
        const auto count = static_cast<std::int64_t>(equal.size()) - 1;
        expect(reduced(x, equal, op),
               [&](auto& y) { segmented_reduce(ctx, x, Segments::equal(count, length), y, op, use); });
      }
      // A matrix of 60 × 47 with gaps of 3.
      for (const Layout layout : kLayouts) {
        const bool by_rows = layout == Layout::row_major;
        const std::int64_t ld = (by_rows ? 47 : 60) + 3;
        const auto a = matrix(x, 60, 47, layout, ld);
        for (const int axis : {0, 1}) {
          std::vector<Acc> wanted(axis == 0 ? 47 : 60, Op::template identity<Acc>());
          for (std::int64_t r = 0; r < 60; ++r) {
            for (std::int64_t c = 0; c < 47; ++c) {
              Acc& result = wanted[static_cast<std::size_t>(axis == 0 ? c : r)];
              result = op(result,
                          static_cast<Acc>(x[static_cast<std::size_t>(by_rows ? r * ld + c : c * ld + r)]));
            }
          }
          expect(wanted, [&](auto& y) { reduce_axis(ctx, a, axis, y, op, use); });
        }
      }
    });
  }
  CHECK(calls >= 72);
}

TEST_CASE("unsigned integers have no sign; narrow elements are reduced in their accumulators") {
  Context ctx = Context::host();
  const auto of_pairs = [&]<class T>(std::vector<T> x, auto op) {
    std::vector<accumulator_t<T>> y(x.size() / 2), rows(y.size());
    segmented_reduce(ctx, x, Segments::equal(static_cast<std::int64_t>(y.size()), 2), y, op);
    reduce_axis(ctx, matrix(x, static_cast<std::int64_t>(y.size()), 2), 1, rows, op);
    CHECK(rows == y);
    return y;
  };
  const std::vector<std::uint32_t> high{1, 0xffffffffu, 0x80000000u, 0x80000001u};
  CHECK(of_pairs(high, plus) == std::vector<std::uint32_t>{0, 1});
  CHECK(of_pairs(high, minimum) == std::vector<std::uint32_t>{1, 0x80000000u});
  CHECK(of_pairs(high, maximum) == std::vector<std::uint32_t>{0xffffffffu, 0x80000001u});
  CHECK(of_pairs(std::vector<std::uint64_t>{1, ~0ull}, maximum)[0] == ~0ull);
  CHECK(of_pairs(std::vector<std::uint8_t>{200, 200}, plus)[0] == 400);
  CHECK(of_pairs(std::vector<std::int8_t>{-100, -100}, plus)[0] == -200);
  CHECK(of_pairs(std::vector<std::int8_t>{-100, 100}, minimum)[0] == -100);
  CHECK(of_pairs(std::vector<half>{half(60000.0f), half(60000.0f)}, plus)[0] == 120000);
  CHECK(of_pairs(std::vector<bfloat16>{bfloat16(256.0f), bfloat16(1.0f)}, plus)[0] == 257);
  // Empty segments give the identity of the accumulator.
  std::vector<std::int32_t> whole(1);
  segmented_reduce(ctx, std::vector<std::uint8_t>(1), Segments::equal(1, 0), whole, minimum);
  CHECK(whole[0] == std::numeric_limits<std::int32_t>::max());
  std::vector<float> least(1);
  segmented_reduce(ctx, std::vector<half>(1), Segments::equal(1, 0), least, maximum);
  CHECK(least[0] == -std::numeric_limits<float>::infinity());
}

TEST_CASE("segments know what was looked up") {
  Context ctx = Context::host();
  const Segments ragged(ctx, Offsets{2, 2, 9, 12});
  CHECK(ragged.count() == 3);
  CHECK(ragged.longest() == 7);
  CHECK(ragged.end() == 12);
  const Segments equal = Segments::equal(7, 3);
  CHECK(equal.count() == 7);
  CHECK(equal.longest() == 3);
  CHECK(equal.end() == 21);
  CHECK(equal.offsets() == nullptr);
  const Offsets offsets{4, 1};  // which fall
  const Segments unchecked = Segments::unchecked(offsets);
  CHECK(unchecked.count() == 1);
  CHECK(unchecked.offsets() == offsets.data());
  CHECK(unchecked.longest() == -1);
  CHECK(unchecked.end() == -1);
}

TEST_CASE("a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const Array<float> x(ctx, small_numbers<float>(300'000));
  Offsets offsets{0};
  while (offsets.back() < 299'000)
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(offsets.size()) % 9);
  const Segments segments(ctx, offsets);
  Array<float> y(ctx, segments.count()), columns(ctx, 100);
  const auto all = [&] {
    segmented_reduce(ctx, x, segments, y);
    reduce_axis(ctx, matrix(x, 3000, 100), 0, columns);
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
  // No segments, whatever there is; segments without elements.
  segmented_reduce(ctx, none, Segments(ctx, Offsets{0}), View<float>{nullptr, 0});
  segmented_reduce(ctx, std::vector<float>(9), Segments(ctx, Offsets{7}), View<float>{nullptr, 0});
  segmented_reduce(ctx, none, Segments::equal(0, 5), View<float>{nullptr, 0});
  std::vector<float> y(3, -7);
  segmented_reduce(ctx, none, Segments(ctx, Offsets{0, 0, 0, 0}), y, minimum);
  count(y == std::vector<float>(3, std::numeric_limits<float>::infinity()));
  segmented_reduce(ctx, none, Segments::equal(3, 0), y);
  count(y == std::vector<float>(3, 0));
  // A NaN stays in its segment; integers wrap.
  const std::vector<double> x{1, std::nan(""), 2, 3};
  std::vector<double> z(2);
  for_each_of_three([&](auto op) {
    segmented_reduce(ctx, x, Segments::equal(2, 2), z, op);
    count(std::isnan(z[0]) && z[1] == op(2.0, 3.0));
  });
  std::vector<int> sum(1);
  segmented_reduce(ctx, std::vector<int>{std::numeric_limits<int>::max(), 1}, Segments::equal(1, 2), sum);
  count(sum[0] == std::numeric_limits<int>::min());
  // Matrices of one column, of one row, of none.
  const std::vector<float> four{1, 2, 3, 4};
  std::vector<float> one(1), each(4);
  reduce_axis(ctx, matrix(four, 4, 1), 0, one);
  count(one[0] == 10);
  reduce_axis(ctx, matrix(four, 4, 1), 1, each);
  count(each == four);
  reduce_axis(ctx, matrix(four, 1, 4), 0, each, maximum);
  count(each == four);
  reduce_axis(ctx, matrix(four, 0, 4), 0, each, maximum);
  count(each == std::vector<float>(4, -std::numeric_limits<float>::infinity()));
  // Pointers that are aligned to an element and no more; neighbours that touch but do not overlap.
  std::vector<float> memory(4096);
  for (const std::int64_t offset : {1, 2, 3, 5, 7}) {
    std::fill(memory.begin(), memory.end(), 1.0f);
    float* const from = memory.data() + offset;
    segmented_reduce(ctx, View<const float>{from, 1000}, Segments::equal(100, 10),
                     View<float>{from + 1000, 100});
    count(from[999] == 1 && from[1000] == 10 && from[1099] == 10 && from[1100] == 1);
  }
  CHECK(count.count == 15);
}

TEST_CASE("bad calls") {
  int bad_calls = 0;
  const auto of_type = [&]<class T>(T) {
    BadCalls<T> bad(
        "segmented_reduce",
        [](Context& ctx, View<const T> in, View<T> out, const Options& options) {
          segmented_reduce(ctx, in, Segments::equal(32, 1), out, options);
        },
        true, bad_calls);
    bad.expect_common(true);
    T* const y = bad.y.data();
    for (const std::int64_t n : {0, 31, 33}) {
      bad.expect(bad.in, {y, n},
                 {"segmented_reduce: size of 'out' is " + std::to_string(n) +
                  "; it must be 32, one for each segment"});
    }
    bad.expect({bad.x.data(), 31}, bad.out,
               {"segmented_reduce: 32 segments of 1 elements are 32; 'in' has 31 elements"});
    for (const int distance : {0, 1, 16, 31})
      bad.expect({y, 32}, {y + distance, 32}, {"segmented_reduce: 'out' overlaps 'in'"});
    bad.expect(bad.in, bad.out, {"segmented_reduce: bits is portable; only reduce"}, {.bits = portable});
  };
  of_type(float()), of_type(double()), of_type(std::int32_t()), of_type(std::int64_t());
  of_type(std::uint32_t()), of_type(std::uint64_t());
  MESSAGE(bad_calls, " bad calls of six types");
  CHECK(bad_calls >= 6 * 50);

  Context ctx = Context::host();
  // Results are wider than elements: what they overlap and where they lie is told by their own bytes.
  std::vector<float> sums(32, -7);
  const auto bad_sums = [&](float* out, const std::string& part) {
    const View<const half> halves{reinterpret_cast<const half*>(sums.data() + 8), 8};
    expect_refused<InvalidArgument>(
        sums,
        [&] {
          segmented_reduce(ctx, halves, Segments::equal(8, 1), View<float>{out, 8});
        },
        {part});
    expect_refused<InvalidArgument>(sums,
                                    [&] {
                                      reduce_axis(ctx, matrix(halves, 8, 1), 1, View<float>{out, 8});
                                    },
                                    {part});
  };
  bad_sums(sums.data() + 1, "'out' overlaps 'in'");
  bad_sums(sums.data() + 11, "'out' overlaps 'in'");
  bad_sums(shifted(sums.data(), 2), "'out' starts at 0x");

  const std::vector<float> x{1, 2, 3, 4};
  std::vector<float> y(4, -7);
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(y, call, {part});
  };
  const auto bad_offsets = [&](const Offsets& offsets, const std::string& part) {
    bad([&] { segmented_reduce(ctx, x, Segments(ctx, offsets), y); }, part);
  };
  bad_offsets({},
              "Segments: size of 'offsets' is 0; it must be at least 1, one more than there are segments");
  bad_offsets({-1, 0, 1, 2, 3}, "Segments: offset 0 is -1; it must be at least 0");
  bad_offsets({0, 3, 2, 3, 4}, "Segments: offset 2 is 2; it must be at least 3, which is offset 1");
  bad_offsets({0, 1, 2, 3, INT64_MIN}, "Segments: offset 4 is -9223372036854775808; it must be at least 3");
  bad_offsets({0, 1, 2, 3, 5}, "segmented_reduce: offset 4 is 5; 'in' has 4 elements");
  bad_offsets({0, 1, 2, 3}, "segmented_reduce: size of 'out' is 4; it must be 3, one for each segment");
  bad([&] { Segments(ctx, View<const std::int64_t>{nullptr, 5}); }, "'offsets' is null, but its size is 5");
  bad([&] { Segments::unchecked({nullptr, 0}); }, "size of 'offsets' is 0; it must be at least 1");
  bad([&] { segmented_reduce(ctx, x, Segments::unchecked({nullptr, 5}), y); }, "'offsets' is null");
  bad([&] { Segments::equal(-1, 3); }, "Segments: count of equal segments is -1; it must be at least 0");
  bad([&] { Segments::equal(3, -2); }, "Segments: length of equal segments is -2; it must be at least 0");
  bad([&] { Segments::equal(std::int64_t{1} << 32, std::int64_t{1} << 32); },
      "together they must be at most 2^63 - 1");
  // Results on top of the offsets.
  Offsets numbers{0, 1, 2, 3, 4};
  const Offsets in(4, 1);
  expect_refused<InvalidArgument>(
      numbers,
      [&] {
        segmented_reduce(ctx, in, Segments::unchecked(numbers), View<std::int64_t>{&numbers[1], 4});
      },
      {"segmented_reduce: 'out' overlaps 'offsets'"});
  // Matrices.
  std::vector<float> two(2, -7), memory(12, 1);
  for (const int axis : {-1, 2, 7}) {
    bad([&] { reduce_axis(ctx, matrix(x, 2, 2), axis, two); },
        "reduce_axis: axis is " + std::to_string(axis) + "; it must be 0 or 1");
  }
  bad([&] { reduce_axis(ctx, matrix(x, 2, 2), 0, y); },
      "reduce_axis: size of 'out' is 4; it must be 2, the cols of 'in'");
  bad([&] { reduce_axis(ctx, matrix(x, 2, 2), 1, y); },
      "reduce_axis: size of 'out' is 4; it must be 2, the rows of 'in'");
  std::vector<float> three(3, -7);
  for_each_bad_view<1>("reduce_axis", {matrix(memory, 3, 4)}, {"in"},
                       [&](const auto& changed, const std::vector<std::string>& parts) {
                         expect_refused<InvalidArgument>(
                             three, [&] { reduce_axis(ctx, changed[0], 1, three); }, parts);
                       });
  CHECK(two == std::vector<float>(2, -7));
  // Paths that cannot take such segments say so.
  for (const Implementation* i : matching("segmented_reduce/vendor/std_par")) {
    if (!i->unavailable().empty()) continue;  // what runs on TBB is left out under ThreadSanitizer
    const std::string message =
        thrown<Unavailable>([&] { reduce_axis(ctx, matrix(x, 2, 2), 0, two, {.use = i->name}); });
    CHECK(contains(message, "elements of a segment must lie side by side"));
  }
}

TEST_SUITE_END();

}  // namespace tandem
