// tridiagonal over ranks beside the same call of one rank on the whole: every rank has the whole, and gives its rows. Run by
// mpirun, as ranks_test.cpp.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

constexpr const char* kSplit = "custom/split";
constexpr const char* kTransposed = "custom/transposed";

constexpr int kLayouts = 4;

/// inner × outer systems: each in one piece, side by side, the middle axis of three; and each rank another of these.
Systems layout(int kind, std::int64_t n, std::int64_t inner, std::int64_t outer) {
  switch (kind) {
    case 0:
      return {n, inner, outer, 1, std::max<std::int64_t>(1, n), std::max<std::int64_t>(1, n) * inner};
    case 1:
      return {n, inner, outer, inner * outer, 1, inner};
    case 2:
      return {n, inner, outer, inner, 1, std::max<std::int64_t>(1, n) * inner};
    default:
      return layout(world().rank() % 3, n, inner, outer);
  }
}

/// The arrays of a batch: as many as systems, of n rows. lower, diag, upper, rhs and x.
template <class T>
struct Batch {
  Systems systems;
  std::vector<T> arrays[5];

  Batch(const Systems& all) : systems(all) {
    for (int a = 0; a < 5; ++a) {
      const bool shared = a < 3 && systems.shared_matrix;
      arrays[a].resize(static_cast<std::size_t>(shared ? systems.n : systems.n * systems.count()));
    }
  }
  T& at(int array, std::int64_t s, std::int64_t i) {
    if (array < 3 && systems.shared_matrix) return arrays[array][i];
    return arrays[array]
                 [i * systems.row + s % systems.inner * systems.system + s / systems.inner * systems.block];
  }
  /// This rank's rows.
  Batch part(const std::vector<std::int64_t>& begins, int kind) {
    const std::int64_t begin = begins[world().rank()], n = begins[world().rank() + 1] - begin;
    Systems of_part = layout(kind, n, systems.inner, systems.outer);
    of_part.shared_matrix = systems.shared_matrix, of_part.pivot = systems.pivot;
    Batch result(of_part);
    for (int array = 0; array < 5; ++array)
      for (std::int64_t s = 0; s < systems.count(); ++s)
        for (std::int64_t i = 0; i < n; ++i) result.at(array, s, i) = at(array, s, begin + i);
    return result;
  }
  void solve(auto& where, const Options& options = {}) {
    tridiagonal(where, arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], systems, options);
  }
};

/// Rows whose diagonal exceeds the rest by a tenth at least, or of which nothing is known.
template <class T>
Batch<T> random_batch(Systems systems, bool dominant, int seed) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  std::uniform_real_distribution<double> value(-1, 1);
  Batch<T> batch(systems);
  for (std::int64_t s = 0; s < systems.count(); ++s) {
    for (std::int64_t i = 0; i < systems.n; ++i) {
      const double lower = value(random), upper = value(random), diag = value(random);
      if (s == 0 || !systems.shared_matrix) {
        batch.at(0, s, i) = static_cast<T>(lower), batch.at(2, s, i) = static_cast<T>(upper);
        batch.at(1, s, i) = static_cast<T>(
            dominant ? std::copysign(std::fabs(lower) + std::fabs(upper) + 0.1 + std::fabs(diag), diag)
                     : diag);
      }
      batch.at(3, s, i) = static_cast<T>(value(random));
    }
    // Corners that nobody may read.
    batch.at(0, s, 0) = batch.at(2, s, systems.n - 1) = std::numeric_limits<T>::quiet_NaN();
  }
  return batch;
}

/// x of all ranks.
template <class T>
void bring_together(Batch<T>& whole, Batch<T>& part, const std::vector<std::int64_t>& begins) {
  std::fill(whole.arrays[4].begin(), whole.arrays[4].end(), T(0));
  const std::int64_t begin = begins[world().rank()];
  for (std::int64_t s = 0; s < whole.systems.count(); ++s)
    for (std::int64_t i = 0; i < part.systems.n; ++i) whole.at(4, s, begin + i) = part.at(4, s, i);
  all_reduce(world(), whole.arrays[4], whole.arrays[4]);
}

/// The largest ‖b − Ax‖ / (ε ‖A‖ ‖x‖) of all systems but some.
template <class T>
double worst_residual(Batch<T>& batch, const std::vector<std::int64_t>& but = {}) {
  double worst = 0;
  const std::int64_t n = batch.systems.n;
  for (std::int64_t s = 0; s < batch.systems.count(); ++s) {
    if (std::count(but.begin(), but.end(), s)) continue;
    double residual = 0, matrix = 0, solution = 0;
    const auto x = [&](std::int64_t i) { return static_cast<double>(batch.at(4, s, i)); };
    for (std::int64_t i = 0; i < n; ++i) {
      const double lower = i > 0 ? batch.at(0, s, i) : 0, diag = batch.at(1, s, i),
                   upper = i + 1 < n ? batch.at(2, s, i) : 0;
      const double sum = diag * x(i) + (i > 0 ? lower * x(i - 1) : 0) + (i + 1 < n ? upper * x(i + 1) : 0);
      const double off = std::fabs(batch.at(3, s, i) - sum);
      if (!(off <= residual)) residual = off;  // NaN, too
      matrix = std::max(matrix, std::fabs(lower) + std::fabs(diag) + std::fabs(upper));
      solution = std::max(solution, std::fabs(x(i)));
    }
    const double relative = residual / (std::numeric_limits<T>::epsilon() * matrix * solution);
    if (!(relative <= worst) && !std::isnan(worst)) worst = relative;
  }
  return worst;
}

/// Calls check(whole, begins, kind of layout) for batches of several shapes, shared out in several ways.
template <class T, class Check>
void for_each_batch(bool dominant, bool pivot, const Check& check) {
  constexpr std::pair<std::int64_t, std::int64_t> kShapes[] = {{1, 1}, {5, 1}, {3, 4}, {70, 1}, {33, 2}};
  for (const std::int64_t n : {1, 2, 3, 5, 8, 50, 301}) {
    for (const auto& [inner, outer] : kShapes) {
      for (const bool shared : {false, true}) {
        Systems systems{n, inner, outer, 1, n, n * inner, shared, pivot};
        auto whole = random_batch<T>(systems, dominant, static_cast<int>(n * 1000 + inner));
        int kind = 0;
        for (const auto& begins : partitions(n)) check(whole, begins, kind++ % kLayouts);
      }
    }
  }
}

template <class T>
void check_split() {
  for_each_batch<T>(true, false, [](Batch<T>& whole, const auto& begins, int kind) {
    Batch<T> part = whole.part(begins, kind), before = part;
    part.solve(world());
    const bool one_has_all = std::count(begins.begin(), begins.end(), 0) +
                                 std::count(begins.begin(), begins.end(), whole.systems.n) ==
                             static_cast<std::int64_t>(begins.size());
    if (!one_has_all) CHECK(context().last().implementation == "tridiagonal/custom/split");
    for (int a = 0; a < 4; ++a) CHECK(same(part.arrays[a], before.arrays[a]));
    bring_together(whole, part, begins);
    CHECK(worst_residual(whole) <= 30);
    Batch<T> in_place = before;
    auto& rhs = in_place.arrays[3];
    tridiagonal(world(), in_place.arrays[0], in_place.arrays[1], in_place.arrays[2], rhs, rhs,
                in_place.systems, {.use = kSplit});
    CHECK(same(rhs, part.arrays[4]));
  });
}

TEST_CASE("tridiagonal split over ranks is as accurate as one rank where the diagonal dominates") {
  check_split<float>();
  check_split<double>();
}

template <class T>
void check_transposed(bool dominant, bool pivot) {
  for_each_batch<T>(dominant, pivot, [&](Batch<T>& whole, const auto& begins, int kind) {
    Batch<T> part = whole.part(begins, kind);
    part.solve(world(), pivot ? Options{} : Options{.bits = portable});
    whole.solve(context(), {.use = pivot ? "custom/pivoting_threads" : "custom/threads"});
    CHECK(same(part.arrays[4], whole.part(begins, kind).arrays[4]));
    CHECK(worst_residual(whole) <= 30);
    std::vector<T>& rhs = part.arrays[3];
    tridiagonal(world(), part.arrays[0], part.arrays[1], part.arrays[2], rhs, rhs, part.systems,
                {.use = kTransposed});
    CHECK(same(rhs, part.arrays[4]));
  });
}

TEST_CASE("tridiagonal with portable bits has those of one rank, however rows are shared out") {
  check_transposed<float>(true, false);
  check_transposed<double>(true, false);
}

TEST_CASE("tridiagonal with pivot over ranks has the bits of one rank") {
  check_transposed<float>(false, true);
  check_transposed<double>(false, true);
}

TEST_CASE("a system of two rows for each rank, and one of many") {
  for (const std::int64_t n : {2 * world().size(), 20'000}) {
    auto whole = random_batch<double>(contiguous(n, 2), true, 3);
    const auto begins = partitions(n)[0];
    Batch<double> part = whole.part(begins, 0);
    part.solve(world(), {.use = kSplit});
    bring_together(whole, part, begins);
    CHECK(worst_residual(whole) <= 30);
  }
}

/// Whether neighbours suffice, they give an x as good as the other paths; else all ranks are told, and x stays.
template <class T>
bool neighbours_suffice(Batch<T>& whole, const std::vector<std::int64_t>& begins) {
  Batch<T> part = whole.part(begins, 0), before = part;
  try {
    part.solve(world(), {.use = "custom/neighbour"});
  } catch (const Unavailable& e) {
    CHECK(contains(e.what(),
                   "tridiagonal/custom/neighbour: a rank's first and last row depend on each other by "));
    CHECK(same(part.arrays[4], before.arrays[4]));
    return false;
  }
  bring_together(whole, part, begins);
  CHECK(worst_residual(whole) <= 30);
  return true;
}

TEST_CASE_TEMPLATE("tridiagonal by neighbours alone, where a rank's rows are many enough", T, float, double) {
  for (const std::int64_t n : {2 * world().size(), 1'500, 20'000}) {
    for (const bool shared : {false, true}) {
      auto whole = random_batch<T>({n, 3, 2, 1, n, 3 * n, shared, false}, true, 5);
      for (const auto& begins : partitions(n)) {
        std::int64_t least = n;  // rows of a rank that has any
        for (std::size_t r = 1; r < begins.size(); ++r)
          if (begins[r] > begins[r - 1]) least = std::min(least, begins[r] - begins[r - 1]);
        const bool suffice = neighbours_suffice(whole, begins);
        if (least == n || least > 300) CHECK(suffice);
        if (least < 3 && least < n) CHECK(!suffice);
      }
    }
  }
  // −1, 2 + a little, −1: rows far apart depend on each other.
  auto whole = random_batch<T>(contiguous(400, 2), true, 5);
  for (std::size_t i = 0; i < whole.arrays[0].size(); ++i)
    whole.arrays[0][i] = whole.arrays[2][i] = -1, whole.arrays[1][i] = T(2.001);
  CHECK(neighbours_suffice(whole, partitions(400)[0]) == (world().size() == 1));
}

/// `singular` systems are, the first of them in `row`: every rank is told so, and gets x of the others.
template <class T>
void check_singular(Batch<T>& whole, const std::vector<std::int64_t>& singular, std::int64_t row,
                    const Options& options) {
  const auto expect_told = [&](const auto& call) {
    try {
      call();
      FAIL_CHECK("nothing was thrown");
    } catch (const SingularSystem& e) {
      CHECK(e.system == singular[0]);
      CHECK(e.row == row);
    }
  };
  expect_told([&] { whole.solve(context()); });
  for (const auto& begins : partitions(whole.systems.n)) {
    Batch<T> part = whole.part(begins, 3);
    expect_told([&] { part.solve(world(), options); });
    bring_together(whole, part, begins);
    CHECK(worst_residual(whole, singular) <= 30);
  }
}

template <class T>
void check_singular_systems() {
  for (const Options& options : {Options{.use = kSplit}, Options{.use = kTransposed}}) {
    for (const std::int64_t row : {0, 1, 7, 20, 29}) {  // a row of zeros
      Batch<T> whole = random_batch<T>(layout(2, 30, 7, 3), true, 5);
      for (const std::int64_t s : {17, 11}) {
        for (const int array : {0, 1, 2}) whole.at(array, s, row) = 0;
      }
      check_singular(whole, {11, 17}, row, options);
      whole.at(1, 11, row) = std::numeric_limits<T>::quiet_NaN();
      check_singular(whole, {11, 17}, row, options);
    }
    // Derivatives on both ends: elimination from the top meets ones, and zero at the end; from elsewhere, fractions.
    for (const std::int64_t n : {5, 30, 400, 3000}) {
      Batch<T> whole = random_batch<T>(layout(1, n, 4, 1), true, 5);
      for (std::int64_t i = 0; i < n; ++i) {
        whole.at(0, 2, i) = whole.at(2, 2, i) = -1;
        whole.at(1, 2, i) = i == 0 || i == n - 1 ? 1 : 2;
      }
      check_singular(whole, {2}, n - 1, options);
    }
  }
  Batch<T> pivoting = random_batch<T>(layout(0, 30, 7, 3), true, 5);
  pivoting.systems.pivot = true;
  for (std::int64_t i = 0; i < 30; ++i) pivoting.at(0, 4, i) = pivoting.at(1, 4, i) = 0;
  check_singular(pivoting, {4}, 0, {});
}

TEST_CASE("every rank is told the first singular system, and its row in the whole") {
  check_singular_systems<float>();
  check_singular_systems<double>();
}

TEST_CASE("a pivot that only elimination from elsewhere meets is no fault") {
  // diag 1 at the top and 0 below: elimination from the top meets 1, −1, 1, …, that from any other row zero, or nearly.
  for (const double diag : {0.0, 1e-17, 1e-9}) {
    for (const std::int64_t n : {4, 9, 40}) {
      Batch<double> whole(layout(0, n, 3, 2));
      for (std::int64_t s = 0; s < 6; ++s) {
        for (std::int64_t i = 0; i < n; ++i) {
          whole.at(0, s, i) = whole.at(2, s, i) = 1;
          whole.at(1, s, i) = i == 0 ? 1 : diag;
          whole.at(3, s, i) = static_cast<double>((s + 3 * i) % 5);
        }
      }
      for (const auto& begins : partitions(n)) {
        Batch<double> part = whole.part(begins, 3);
        part.solve(world(), {.use = kSplit});
        bring_together(whole, part, begins);
        CHECK(worst_residual(whole) <= 30);
      }
    }
  }
}

template <class T>
void check_second_differences() {
  constexpr double kLoss = sizeof(T) == 4 ? 0x1p6 : 0x1p13;  // ε^−¼
  for (const std::int64_t n : {30, 1000, 30'000}) {
    Batch<T> whole(layout(1, n, 3, 1));
    for (std::int64_t s = 0; s < 3; ++s) {
      for (std::int64_t i = 0; i < n; ++i) {
        whole.at(0, s, i) = whole.at(2, s, i) = -1;
        whole.at(1, s, i) = 2;
        whole.at(3, s, i) = static_cast<T>((s + 3 * i) % 5 - 2);
      }
    }
    for (const auto& begins : partitions(n)) {
      Batch<T> part = whole.part(begins, 3);
      part.solve(world());
      bring_together(whole, part, begins);
      CHECK(worst_residual(whole) <= 30 * kLoss);
    }
  }
}

TEST_CASE(
    "where the diagonal does not dominate strictly, a split loses no more than a quarter of the digits") {
  check_second_differences<float>();
  check_second_differences<double>();
}

/// On the last rank an E is thrown that says `text`, on the others RankFailed, which names it; x stays.
template <class E>
void expect_failed(const Batch<float>& good, const std::string& text, const auto& spoil) {
  const int odd = world().size() - 1;
  Batch<float> part = good;
  Options options;
  const bool mine = world().rank() == odd;
  if (mine) spoil(part, options);
  const std::vector<float> before = part.arrays[4];
  try {
    part.solve(world(), options);
    FAIL_CHECK("nothing was thrown");
  } catch (const E& e) {
    CHECK(mine);
    CHECK_MESSAGE(contains(e.what(), text), std::string(e.what()));
  } catch (const RankFailed& failed) {
    CHECK(!mine);
    CHECK(failed.rank == odd);
  }
  CHECK(same(part.arrays[4], before));
}

TEST_CASE("a wrong call of tridiagonal on one rank ends that of all") {
  const Batch<float> good = random_batch<float>(layout(0, 6, 4, 3), true, 1);
  const auto array = [](int a) { return [a](Batch<float>& b, Options&) { b.arrays[a].pop_back(); }; };
  const char* const names[] = {"lower", "diag", "upper", "rhs", "x"};
  for (int a = 0; a < 5; ++a)
    expect_failed<InvalidArgument>(
        good, std::string("size of '") + names[a] + "' is 71; it must be at least 72", array(a));
  expect_failed<InvalidArgument>(good, "n is -1; it must be at least 0",
                                 [](Batch<float>& b, Options&) { b.systems.n = -1; });
  expect_failed<InvalidArgument>(good, "stride of the rows is 0",
                                 [](Batch<float>& b, Options&) { b.systems.row = 0; });
  expect_failed<InvalidArgument>(good, "overflow 2^63", [](Batch<float>& b, Options&) {
    b.systems.n = std::int64_t{1} << 62, b.systems.system = std::int64_t{1} << 62;
  });
  expect_failed<InvalidArgument>(good,
                                 "unknown implementation 'custom/spilt'; known: tridiagonal/custom/split, ",
                                 [](Batch<float>&, Options& o) { o.use = "custom/spilt"; });
  expect_failed<InvalidArgument>(good, "unknown implementation",
                                 [](Batch<float>&, Options& o) { o.use = "custom/threads"; });
  expect_failed<Unavailable>(good, "never exchanges rows",
                             [](Batch<float>& b, Options& o) { b.systems.pivot = true, o.use = kSplit; });
  expect_failed<Unavailable>(good, "bits is portable",
                             [](Batch<float>&, Options& o) { o = {.use = "split", .bits = portable}; });
}

TEST_CASE("a wrong call of tridiagonal on all ranks is told to all") {
  Batch<float> part = random_batch<float>(layout(0, 6, 4, 3), true, 1);
  const std::vector<float> before = part.arrays[4];
  auto &lower = part.arrays[0], &diag = part.arrays[1], &upper = part.arrays[2], &rhs = part.arrays[3],
       &x = part.arrays[4];
  const auto refused = [&](const Systems& systems) {
    return thrown<InvalidArgument>([&] { tridiagonal(world(), lower, diag, upper, rhs, x, systems); });
  };
  Systems systems = part.systems;
  systems.n = 0;
  CHECK(contains(refused(systems), "n is 0 on all ranks"));
  systems.inner = 0;
  CHECK(contains(refused(systems), "inner is 0; it must be at least 1"));
  systems.inner = systems.outer = std::int64_t{1} << 40;
  CHECK(contains(refused(systems), "overflow 2^63 bytes"));
  CHECK(contains(
      thrown<InvalidArgument>([&] { tridiagonal(world(), lower, diag, upper, rhs, upper, part.systems); }),
      "overlap"));
  CHECK(same(x, before));
  for (std::int64_t s = 0; s < 12; ++s)
    lower[s * 6] = upper[s * 6 + 5] = 0;  // all ranks' rows are inner ones
  part.solve(world());                    // and all goes on
}

TEST_CASE("ranks whose calls of tridiagonal differ are told so") {
  if (world().size() < 3) return;  // of two ranks neither is the odd one
  const int last = world().size() - 1;
  const auto expect_differ = [&](const std::string& text, const auto& spoil) {
    Batch<float> part = random_batch<float>(layout(0, 6, 4, 3), true, 1);
    Options options;
    if (world().rank() == last) spoil(part.systems, options);
    try {
      part.solve(world(), options);
      FAIL_CHECK("nothing was thrown");
    } catch (const RanksDiffer& differ) {
      CHECK(differ.rank == last);
      CHECK_MESSAGE(contains(differ.what(), "rank " + std::to_string(last) + " calls " + text),
                    differ.what());
    }
  };
  expect_differ("tridiagonal f32 of 3 x 3 elements, others tridiagonal f32 of 4 x 3 elements",
                [](Systems& s, Options&) { s.inner = 3; });
  expect_differ("tridiagonal/custom/transposed, others tridiagonal/custom/split",
                [](Systems&, Options& o) { o.use = kTransposed; });
  expect_differ("tridiagonal/custom/transposed with pivot", [](Systems& s, Options&) { s.pivot = true; });
  expect_differ("tridiagonal/custom/split with shared_matrix",
                [](Systems& s, Options&) { s.shared_matrix = true; });
}

}  // namespace
}  // namespace tandem
