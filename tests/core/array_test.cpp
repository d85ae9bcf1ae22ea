// Arrays: a range and a span of their elements, moved and never copied, and what they refuse.

#include <algorithm>
#include <numeric>
#include <ranges>
#include <span>
#include <type_traits>

#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("array");

TEST_CASE("on the host an array is a range like any other") {
  static_assert(std::ranges::contiguous_range<Array<int>> && std::ranges::sized_range<Array<int>>);
  static_assert(std::ranges::contiguous_range<const Array<int>>);
  static_assert(std::is_same_v<decltype(std::declval<const Array<int>&>().begin()), const int*>);
  Context ctx = Context::host();
  Array<int> x(ctx, std::vector<int>{4, 1, 3});
  CHECK(x.begin() == x.data());
  CHECK(x.end() - x.begin() == x.size());
  int sum = 0;
  for (const int value : x) sum += value;
  CHECK(sum == 8);
  for (int& value : x) value *= 10;
  CHECK(x.to_vector() == std::vector<int>{40, 10, 30});
  std::ranges::sort(x);
  CHECK(x.to_vector() == std::vector<int>{10, 30, 40});
  const Array<int>& constant = x;
  CHECK(std::accumulate(constant.begin(), constant.end(), 0) == 80);
  const Array<int> none(ctx, 0);
  for (const int value : none) FAIL("an element of an empty array: ", value);
  CHECK(none.begin() == none.end());
}

TEST_CASE("an array converts to std::span, and spans of it are operands") {
  Context ctx = Context::host();
  Array<float> x(ctx, std::vector<float>{1, 2, 3, 4});
  const std::span<float> all(x);
  CHECK(all.data() == x.data());
  CHECK(all.size() == 4);
  const Array<float>& constant = x;
  const std::span<const float> read_only(constant);
  CHECK(read_only.data() == x.data());
  const auto takes_span = [](std::span<const float> values) { return values.size(); };
  CHECK(takes_span(x) == 4);
  CHECK(reduce(ctx, all.subspan(1, 2)) == 5);
  inclusive_scan(ctx, all.first(2), all.last(2));
  CHECK(x.to_vector() == std::vector<float>{1, 2, 1, 3});
  CHECK(Array<float>(ctx, read_only.last(2)).to_vector() == std::vector<float>{1, 3});
}

TEST_CASE("a moved array takes its memory along and leaves an empty one") {
  static_assert(!std::is_copy_constructible_v<Array<int>> && !std::is_copy_assignable_v<Array<int>>);
  static_assert(std::is_nothrow_move_constructible_v<Array<int>> &&
                std::is_nothrow_move_assignable_v<Array<int>>);
  Context ctx = Context::host();
  Array<int> x(ctx, std::vector<int>{1, 2, 3});
  const int* const memory = x.data();
  Array<int> y = std::move(x);
  CHECK(y.data() == memory);
  CHECK(y.to_vector() == std::vector<int>{1, 2, 3});
  CHECK(x.data() == nullptr);
  CHECK(x.size() == 0);
  CHECK(x.bytes() == 0);
  CHECK(x.begin() == x.end());
  CHECK(x.to_vector().empty());
  CHECK(reduce(ctx, x) == 0);  // an empty operand like any other
  x.upload({});
  CHECK(contains(thrown<InvalidArgument>([&] { x.upload(y); }), "3 values for an array of 0"));

  Array<int> z(ctx, std::vector<int>{7, 8});
  z = std::move(y);
  CHECK(z.data() == memory);
  CHECK(reduce(ctx, z) == 6);
  x = Array<int>(ctx, std::vector<int>{9});  // a moved array takes a new value
  CHECK(x.to_vector() == std::vector<int>{9});
  Array<int>& alias = z;
  z = std::move(alias);
  CHECK(z.to_vector() == std::vector<int>{1, 2, 3});
  std::vector<Array<int>> several;
  for (int i = 0; i < 20; ++i) several.emplace_back(ctx, std::vector<int>(3, i));
  for (int i = 0; i < 20; ++i)
    CHECK(several[static_cast<std::size_t>(i)].to_vector() == std::vector<int>(3, i));
}

TEST_CASE("bad arrays") {
  Context ctx = Context::host();
  Array<int> two(ctx, 2);
  two.upload(std::vector<int>{4, 5});
  CHECK(contains(thrown<InvalidArgument>([&] {
                   two.upload(std::vector<int>{1, 2, 3});
                 }),
                 "3 values for an array of 2"));
  CHECK(two.to_vector() == std::vector<int>{4, 5});
  two.upload(std::vector<int>{6});
  CHECK(two.to_vector() == std::vector<int>{6, 5});
  CHECK(contains(thrown<InvalidArgument>([&] { Array<int>(ctx, -1); }), "size is -1"));
  CHECK(contains(thrown<InvalidArgument>([&] { Array<std::int64_t>(ctx, INT64_MAX / 4); }),
                 "fit in 2^63 bytes"));
}

TEST_SUITE_END();

}  // namespace tandem
