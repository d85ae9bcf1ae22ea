// all_reduce by each of its paths beside a loop over the arrays of all ranks, which every rank can make.

#include <algorithm>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

constexpr const char* kPaths[] = {"", "custom/gather", "custom/two_shot", "custom/shared", "vendor/mpi"};

/// Element i of rank r: small whole numbers, of which sums and products are exact in any order.
template <class T>
T element(int r, std::int64_t i) {
  return static_cast<T>(static_cast<float>((i + r) % 3));
}

template <class T, class Op>
void see_paths(std::int64_t n, Op op) {
  using A = accumulator_t<T>;
  std::vector<T> mine(n), expected(n);
  for (std::int64_t i = 0; i < n; ++i) {
    mine[i] = element<T>(world().rank(), i);
    A total = op.template identity<A>();
    for (int r = 0; r < world().size(); ++r) total = op(total, op.lift(static_cast<A>(element<T>(r, i))));
    expected[i] = static_cast<T>(total);
  }
  const bool logical = Op::id == OperatorId::logical_and || Op::id == OperatorId::logical_or;
  for (const char* path : kPaths) {
    INFO(path);
    std::vector<T> out(n);
    if (std::string(path) == "vendor/mpi" && (is_narrow_float<T> || logical)) {
      CHECK(contains(thrown<Unavailable>([&] { all_reduce(world(), mine, out, op, {.use = path}); }),
                     "all_reduce/vendor/mpi: MPI does not take "));
      continue;
    }
    all_reduce(world(), mine, out, op, {.use = path});
    CHECK(same(out, expected));
    out = mine;
    all_reduce(world(), out, out, op, {.use = path});
    CHECK(same(out, expected));
  }
}

TEST_CASE("all_reduce combines elements, in rank order") {
  for_each_type([&]<class T>() {
    for_each_operator<T>([&](auto op) {
      for (const std::int64_t n : {0, 1, 5, 1000, 50'000}) see_paths<T>(n, op);
    });
  });
  see_paths<float>(1'000'003, plus);  // more than is shared at once
  see_paths<std::uint8_t>(1'000'003, maximum);
}

TEST_CASE("all_reduce with an operator that does not commute") {
  for (const std::int64_t n : {1, 100, 300'001}) {
    std::vector<Affine> mine(n), expected(n);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto of = [&](int r) {
        return Affine{static_cast<std::uint64_t>(2 * i + r), static_cast<std::uint64_t>(i + 3 * r)};
      };
      mine[i] = of(world().rank());
      expected[i] = of(0);
      for (int r = 1; r < world().size(); ++r) expected[i] = Compose{}(expected[i], of(r));
    }
    for (const char* path : {"", "gather", "two_shot", "shared"}) {
      std::vector<Affine> out(n);
      all_reduce(world(), mine, out, Compose{}, {.use = path});
      CHECK(same(out, expected));
    }
    CHECK(contains(
        thrown<Unavailable>([&] { all_reduce(world(), mine, mine, Compose{}, {.use = "vendor/mpi"}); }),
        "an operator of your own"));
  }
}

/// An element of which a block holds few, and one that is larger than a block.
template <std::size_t kBytes>
struct Wide {
  std::int32_t value;
  char rest[kBytes - 4];
};

template <std::size_t kBytes>
void see_wide(std::int64_t n) {
  using T = Wide<kBytes>;
  const auto add = [](const T& a, const T& b) {
    T sum = a;
    sum.value += b.value;
    return sum;
  };
  const auto mine = std::make_unique<T[]>(static_cast<std::size_t>(n)),
             out = std::make_unique<T[]>(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) mine[i].value = static_cast<std::int32_t>(i + world().rank());
  all_reduce(world(), View<const T>{mine.get(), n}, View<T>{out.get(), n}, add);
  const int ranks = world().size();
  for (std::int64_t i = 0; i < n; ++i) CHECK(out[i].value == ranks * i + ranks * (ranks - 1) / 2);
}

TEST_CASE("all_reduce of wide elements") {
  see_wide<100'000>(20);
  see_wide<1'500'000>(3);
}

TEST_CASE("the same bits on every rank and in every run") {
  std::vector<float> mine(70'001), first(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    mine[i] = 1.0f / static_cast<float>(i + 3 * static_cast<std::size_t>(world().rank()) + 1);
  all_reduce(world(), mine, first);
  for (const char* path : {"gather", "two_shot", "shared"}) {
    std::vector<float> out(mine.size()), least(mine.size()), greatest(mine.size());
    all_reduce(world(), mine, out, {.use = path});
    CHECK(same(out, first));
    all_reduce(world(), out, least, minimum);
    all_reduce(world(), out, greatest, maximum);
    CHECK(same(least, greatest));
  }
}

TEST_CASE("paths of all_reduce that are unknown, or differ") {
  const std::vector<float> x(3);
  std::vector<float> y(3);
  CHECK(contains(thrown<InvalidArgument>([&] { all_reduce(world(), x, y, {.use = "custom/sharde"}); }),
                 "did you mean 'custom/shared'"));
  CHECK(contains(thrown<InvalidArgument>([&] { all_reduce(world(), x, y, {.bits = portable}); }),
                 "bits is portable"));
  expect_differ([&] { all_reduce(world(), x, y, {.use = "gather"}); },
                [&] { all_reduce(world(), x, y, {.use = "shared"}); },
                "all_reduce f32 plus of 3 elements by all_reduce/custom/shared, others");
  all_reduce(world(), x, y);  // and all goes on
}

}  // namespace
}  // namespace tandem
