// Calls over ranks beside the same call of one rank on the whole: every rank has the whole, and gives its part. Run by mpirun;
// all ranks go through the same tests.

#include "tandem/ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

template <class T>
std::vector<T> part_of(const std::vector<T>& whole, const std::vector<std::int64_t>& begins) {
  return {whole.begin() + begins[world().rank()], whole.begin() + begins[world().rank() + 1]};
}

/// Calls check(whole, begins) for wholes of several lengths, shared out in several ways. Elements are small whole numbers, of which
/// sums and products are exact in any order.
template <class T, class Check>
void for_each_whole(bool products, const Check& check) {
  for (const std::int64_t n : {0, 1, 3, 50, 1000, 70'001}) {
    std::vector<T> whole(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
      whole[i] = static_cast<T>(static_cast<float>(products ? (i % 7 == 3 ? 2 : 1) : (i * 5 % 11) % 3));
    if (products && n > 50) std::fill(whole.begin() + 40, whole.end(), static_cast<T>(1.0f));
    if (is_narrow_float<T> && n > 100 && !products)
      std::fill(whole.begin() + 100, whole.end(), static_cast<T>(0.0f));
    for (const auto& begins : partitions(n)) check(whole, begins);
  }
}

struct ComposeWithIdentity : Compose {
  static Affine identity() { return {1, 0}; }
};
std::vector<Affine> affine(std::int64_t n) {
  std::vector<Affine> whole;
  for (std::int64_t i = 0; i < n; ++i)
    whole.push_back({static_cast<std::uint64_t>(2 * i + 3), static_cast<std::uint64_t>(i * i + 1)});
  return whole;
}

/// The greatest element and its place in the whole.
struct Greatest {
  struct Place {
    float value;
    std::int64_t i;
  };
  Place lift(float x, std::int64_t i) const { return {x, i}; }
  Place operator()(Place a, Place b) const { return b.value > a.value ? b : a; }
};

TEST_CASE("a communicator has ranks, and can be split") {
  Communicator& all = world();
  const char* given = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (given) CHECK(all.size() == std::atoi(given));
  CHECK(all.rank() >= 0);
  CHECK(all.rank() < all.size());
  const std::vector<std::int64_t> one{all.rank()};
  CHECK(reduce(all, one) == all.size() * (all.size() - 1) / 2);

  Communicator same_parity = all.split(all.rank() % 2, -all.rank());  // in descending order
  CHECK(same_parity.size() == (all.size() + 1 - all.rank() % 2) / 2);
  CHECK(same_parity.rank() == (all.size() - 1 - all.rank()) / 2);
  const auto sum = reduce(same_parity, one);
  std::int64_t expected = 0;
  for (int r = all.rank() % 2; r < all.size(); r += 2) expected += r;
  CHECK(sum == expected);

  Communicator copy = Communicator::adopt_mpi(context(), all.native_handle());
  CHECK(copy.size() == all.size());
  CHECK(copy.native_handle() != all.native_handle());
  copy.barrier();
  Communicator moved = std::move(copy);
  moved.barrier();
  CHECK(contains(thrown<InvalidArgument>([&] { copy.barrier(); }), "was moved from"));
  all.barrier();
}

TEST_CASE("reduce gives every rank what one rank gives for the whole") {
  for_each_type([&]<class T>() {
    for_each_operator<T>([&](auto op) {
      for_each_whole<T>(op.id == OperatorId::multiplies,
                        [&](const std::vector<T>& whole, const auto& begins) {
                          CHECK(reduce(world(), part_of(whole, begins), op) == reduce(context(), whole, op));
                        });
    });
  });
  const std::vector<float> part{
      1, world().rank() == world().size() - 1 ? std::numeric_limits<float>::quiet_NaN() : 2};
  CHECK(std::isnan(reduce(world(), part, minimum)));
  CHECK(std::isnan(reduce(world(), part)));
  CHECK(reduce(world(), part, logical_and, {.use = "custom/serial"}) == 1);
}

TEST_CASE("reduce with an operator of one's own keeps the order, and knows places in the whole") {
  for (const std::int64_t n : {0, 1, 2, 5, 1000, 40'000}) {
    const auto whole = affine(n);
    std::vector<float> values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<float>(i * 7919 % 1009));
    for (const auto& begins : partitions(n)) {
      const auto part = part_of(whole, begins);
      const Affine init{5, 6};
      CHECK(reduce(world(), part, Compose{}, init) == reduce(context(), whole, Compose{}, init));
      CHECK(reduce(world(), part, ComposeWithIdentity{}) == reduce(context(), whole, ComposeWithIdentity{}));
      if (n == 0) {
        CHECK(contains(thrown<InvalidArgument>([&] { reduce(world(), part, Compose{}); }),
                       "all ranks are empty"));
        continue;
      }
      CHECK(reduce(world(), part, Compose{}) == reduce(context(), whole, Compose{}));
      const auto found = reduce(world(), part_of(values, begins), Greatest{}),
                 expected = reduce(context(), values, Greatest{});
      CHECK(found.i == expected.i);
      CHECK(found.value == expected.value);
      CHECK(reduce(world(), part_of(values, begins), std::plus<>{}, 0.5) ==
            reduce(context(), values, std::plus<>{}, 0.5));
    }
  }
}

template <class T>
void check_portable() {
  std::mt19937_64 random(7);
  for (const std::int64_t n : {0, 1, 200, 5000, 100'000}) {
    std::vector<T> whole(static_cast<std::size_t>(n));
    for (T& x : whole) {
      const int exponent = static_cast<int>(random() % 20) - 10;
      x = static_cast<T>(
          static_cast<float>(std::ldexp(static_cast<double>(random() >> 11) * 0x1p-52 - 1, exponent)));
    }
    for (int kind = 0; kind < 3; ++kind) {
      if (n > 1 && kind == 1) whole[n / 2] = static_cast<T>(std::numeric_limits<float>::infinity());
      if (n > 1 && kind == 2) whole[n - 1] = static_cast<T>(-std::numeric_limits<float>::infinity());
      const auto expected = reduce(context(), whole, {.bits = portable});
      for (const auto& begins : partitions(n)) {
        const auto sum = reduce(world(), part_of(whole, begins), {.bits = portable});
        CHECK(same<accumulator_t<T>>({sum}, {expected}));
      }
    }
  }
}

TEST_CASE("portable sums have the bits of the exact one, however elements are shared out") {
  check_portable<float>();
  check_portable<double>();
  check_portable<half>();
  check_portable<bfloat16>();
  const std::vector<float> part{1};
  CHECK(reduce(world(), part, maximum, {.bits = portable}) == 1);
  CHECK_THROWS_AS(reduce(world(), part, multiplies, {.bits = portable}), Unavailable);
}

/// What a scan of the whole gives to this rank, and what the ranks compute. scan(all, in, out) for both.
template <class T, class Scan>
void check_scan_of(const std::vector<T>& whole, const std::vector<std::int64_t>& begins, const Scan& scan) {
  std::vector<T> expected(whole.size());
  scan(context(), whole, expected);
  auto part = part_of(whole, begins);
  std::vector<T> out(part.size());
  scan(world(), part, out);
  CHECK(same(out, part_of(expected, begins)));
  scan(world(), part, part);
  CHECK(same(part, out));
}

TEST_CASE("scans give each rank its part of the scan of the whole") {
  for_each_type([&]<class T>() {
    for_each_operator<T>([&](auto op) {
      for_each_whole<T>(op.id == OperatorId::multiplies, [&](const std::vector<T>& whole,
                                                             const auto& begins) {
        const T init = static_cast<T>(2.0f);
        check_scan_of(whole, begins,
                      [&](auto& all, const auto& in, auto& out) { inclusive_scan(all, in, out, op); });
        check_scan_of(whole, begins,
                      [&](auto& all, const auto& in, auto& out) { exclusive_scan(all, in, out, op); });
        check_scan_of(whole, begins,
                      [&](auto& all, const auto& in, auto& out) { inclusive_scan(all, in, out, op, init); });
        check_scan_of(whole, begins,
                      [&](auto& all, const auto& in, auto& out) { exclusive_scan(all, in, out, op, init); });
      });
    });
  });
}

TEST_CASE("a scan of half does not round what the ranks before have") {
  // 2049 is no half, and the last sum is.
  std::vector<half> part(1, static_cast<half>(world().rank() == 0 ? 2048.0f : 1.0f)), out(1);
  inclusive_scan(world(), part, out);
  CHECK(static_cast<float>(out[0]) ==
        static_cast<float>(static_cast<half>(2048.0f + static_cast<float>(world().rank()))));
}

TEST_CASE("scans with an operator of one's own keep the order, and know places in the whole") {
  for (const std::int64_t n : {0, 1, 2, 5, 1000, 40'000}) {
    const auto whole = affine(n);
    for (const auto& begins : partitions(n)) {
      const Affine init{5, 6};
      check_scan_of(whole, begins,
                    [&](auto& all, const auto& in, auto& out) { inclusive_scan(all, in, out, Compose{}); });
      check_scan_of(whole, begins, [&](auto& all, const auto& in, auto& out) {
        inclusive_scan(all, in, out, Compose{}, init);
      });
      check_scan_of(whole, begins, [&](auto& all, const auto& in, auto& out) {
        exclusive_scan(all, in, out, Compose{}, init);
      });
      check_scan_of(whole, begins, [&](auto& all, const auto& in, auto& out) {
        exclusive_scan(all, in, out, ComposeWithIdentity{});
      });
      check_scan_of(std::vector<std::int64_t>(n, 1), begins, [&](auto& all, const auto& in, auto& out) {
        inclusive_scan(all, in, out,
                       with_lift(std::plus<>{}, [](std::int64_t x, std::int64_t i) { return x * i; }));
      });
    }
  }
}

struct Throws {
  int operator()(int a, int b) const {
    if (world().rank() == world().size() - 1) throw std::runtime_error("own");
    return a + b;
  }
};

TEST_CASE("what one rank throws ends the call of all") {
  const int odd = world().size() - 1;
  const bool mine = world().rank() == odd;
  const std::vector<int> values{1, 2, 3};
  std::vector<int> out(3);
  const View<const int> bad{mine ? nullptr : values.data(), 3};
  expect_failed<InvalidArgument>(odd, [&] { reduce(world(), bad); });
  expect_failed<InvalidArgument>(odd, [&] { inclusive_scan(world(), bad, out); });
  expect_failed<InvalidArgument>(odd, [&] { all_reduce(world(), bad, out); });
  expect_failed<InvalidArgument>(odd, [&] { reduce(world(), bad, std::plus<>{}); });
  expect_failed<InvalidArgument>(odd, [&] { exclusive_scan(world(), bad, out, std::plus<>{}, 0); });
  const std::vector<float> floats{1};
  const View<const float> bad_float{mine ? nullptr : floats.data(), 1};
  expect_failed<InvalidArgument>(odd, [&] { reduce(world(), bad_float, {.bits = portable}); });
  expect_failed<std::runtime_error>(odd, [&] { reduce(world(), values, Throws{}); });
  expect_failed<InvalidArgument>(odd, [&] { world().split(mine ? -1 : 0); });
  const View<int> shorter{out.data(), mine ? 2 : 3};
  expect_failed<InvalidArgument>(odd, [&] { inclusive_scan(world(), values, shorter); });
  CHECK(reduce(world(), values) == 6 * world().size());  // and all goes on
}

TEST_CASE("ranks whose calls differ are told so") {
  const std::vector<float> x(8, 1.0f);
  const std::vector<double> wide(8, 1.0);
  std::vector<float> y(8);
  const View<const float> shorter{x.data(), 5};
  const View<float> shorter_out{y.data(), 5};
  expect_differ([&] { reduce(world(), x); }, [&] { inclusive_scan(world(), x, y); },
                "inclusive_scan f32 plus, others reduce f32 plus");
  expect_differ([&] { reduce(world(), x); }, [&] { reduce(world(), wide); },
                "reduce f64 plus, others reduce f32 plus");
  expect_differ([&] { reduce(world(), x); }, [&] { reduce(world(), x, maximum); }, "reduce f32 maximum");
  expect_differ([&] { reduce(world(), x); }, [&] { world().barrier(); }, "barrier");
  expect_differ([&] { reduce(world(), x, std::plus<>{}); }, [&] { reduce(world(), wide, std::plus<>{}); },
                "reduce with an operator of its own");
  expect_differ([&] { all_reduce(world(), x, y); }, [&] { all_reduce(world(), shorter, shorter_out); },
                "all_reduce f32 plus of 5 elements, others all_reduce f32 plus of 8 elements");
  CHECK(reduce(world(), x) == 8 * world().size());
}

}  // namespace
}  // namespace tandem
