// The public API of tridiagonal: every layout, shared matrices, in place, pivots that fail and who hears of
// them, odd but legal calls, and bad ones, each of which throws InvalidArgument, names argument, value and
// limit, and leaves x untouched.

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/harness/operation.h"
#include "tandem/device/pivot.h"
#include "tandem/tandem.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A batch with −1, 4, −1 in every row but NaN in the unread corners, whose solution at (system, row) is 1 +
// system + row.
struct Batch {
  Systems systems;
  std::vector<double> lower, diag, upper, rhs, x;
  Batch(const Systems& s, std::int64_t size) : systems(s) {
    for (auto* v : {&lower, &diag, &upper, &rhs, &x}) v->assign(static_cast<std::size_t>(size), kNan);
    for (std::int64_t k = 0; k < s.count(); ++k) {
      for (std::int64_t i = 0; i < s.n; ++i) {
        const std::size_t at = index(k, i);
        const bool first = i == 0, last = i + 1 == s.n;
        lower[at] = first ? kNan : -1;
        upper[at] = last ? kNan : -1;
        diag[at] = 4;
        rhs[at] = 4 * solution(k, i) - (first ? 0 : solution(k, i - 1)) - (last ? 0 : solution(k, i + 1));
      }
    }
  }
  std::size_t index(std::int64_t k, std::int64_t i) const {
    return static_cast<std::size_t>(k % systems.inner * systems.system + k / systems.inner * systems.block +
                                    i * systems.row);
  }
  static double solution(std::int64_t k, std::int64_t i) { return 1 + static_cast<double>(k + i); }
  void solve(Context& ctx, const Options& options = {}) {
    tridiagonal(ctx, lower, diag, upper, rhs, x, systems, options);
  }
  bool solved(const std::vector<double>& values) const {
    for (std::int64_t k = 0; k < systems.count(); ++k) {
      for (std::int64_t i = 0; i < systems.n; ++i) {
        if (!(std::fabs(values[index(k, i)] - solution(k, i)) < 1e-12 * (1 + static_cast<double>(k + i))))
          return false;
      }
    }
    return true;
  }
};

// A bad call: its message names all parts, and x stays as it was.
template <class Call>
void bad(std::vector<double>& x, Call call, const std::vector<std::string>& parts) {
  x.assign(x.size(), -7);
  expect_refused<InvalidArgument>(x, call, parts);
}

}  // namespace

TEST_SUITE_BEGIN("tridiagonal");

TEST_CASE("every host row solves every layout, and leaves what lies between alone") {
  Context ctx = Context::host();
  const Systems layouts[] = {contiguous(5, 7),  interleaved(5, 7),    sweep(0, 5, 3, 2), sweep(1, 3, 5, 2),
                             sweep(2, 3, 2, 5), {5, 3, 2, 2, 11, 40}, contiguous(1, 3),  interleaved(2, 1)};
  for (const Implementation* i : host_rows("tridiagonal")) {
    CAPTURE(i->name);
    for (const Systems& systems : layouts) {
      Batch batch(systems, 80);
      try {
        batch.solve(ctx, {.use = i->name});
        CHECK(batch.solved(batch.x));
        CHECK(std::isnan(batch.x[79]));
        tridiagonal(ctx, batch.lower, batch.diag, batch.upper, batch.rhs, batch.rhs, systems,
                    {.use = i->name});
        CHECK(batch.solved(batch.rhs));
      } catch (const Unavailable&) {  // does not take such a shape, and said why
      }
    }
  }
}

TEST_CASE("a batch may be spelt out in the call") {
  Context ctx = Context::host();
  Batch b({2, 3, 1, 3, 1, 0}, 6);
  tridiagonal(ctx, b.lower, b.diag, b.upper, b.rhs, b.x, {2, 3, 1, 3, 1, 0});
  CHECK(b.solved(b.x));
}

TEST_CASE("one matrix for all systems") {
  Context ctx = Context::host();
  const std::vector<double> lower{kNan, -1, -1}, diag(3, 4), upper{-1, -1, kNan};
  for (Systems systems : {contiguous(3, 4), interleaved(3, 4)}) {
    systems.shared_matrix = true;
    Batch batch(systems, 12);
    tridiagonal(ctx, lower, diag, upper, batch.rhs, batch.x, systems);
    CHECK(batch.solved(batch.x));
  }
}

TEST_CASE("a sweep along each axis is what the formula says") {
  const Systems y = sweep(1, 4, 5, 6);
  CHECK(y.n == 5);
  CHECK(y.count() == 24);
  CHECK(y.row == 4);
  CHECK(y.block == 20);
  const auto refused = [](int axis, std::int64_t nx, std::int64_t ny, std::int64_t nz, const char* part) {
    CHECK(contains(thrown<InvalidArgument>([&] { sweep(axis, nx, ny, nz); }), part));
  };
  refused(3, 4, 5, 6, "axis is 3; it must be 0 (x), 1 (y) or 2 (z)");
  refused(-1, 4, 5, 6, "axis is -1");
  // Its product wraps around to 2.
  refused(0, 4, 3, 6148914691236517206, "4 x 3 x 6148914691236517206 elements overflow 2^63");
  refused(1, INT64_MAX, 2, 1, "overflow 2^63");
  for (const std::int64_t extent : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN}) {
    refused(0, extent, 5, 6, "sweep: nx is ");
    refused(1, 4, extent, 6, "sweep: ny is ");
    refused(2, 4, 5, extent, "it must be at least 1");
  }
}

TEST_CASE("rows are exchanged where asked for") {
  Context ctx = Context::host();
  // 0 1 / 1 0: no pivot without an exchange.
  const std::vector<double> lower{kNan, 1}, diag{0, 0}, upper{1, kNan}, rhs{5, 6};
  std::vector<double> x(2);
  Systems systems = contiguous(2, 1);
  CHECK(contains(thrown<SingularSystem>([&] { tridiagonal(ctx, lower, diag, upper, rhs, x, systems); }),
                 "system 0 has no usable pivot in row 0"));
  systems.pivot = true;
  tridiagonal(ctx, lower, diag, upper, rhs, x, systems);
  CHECK(x == std::vector<double>{6, 5});
  CHECK(contains(thrown<Unavailable>([&] {
                   tridiagonal(ctx, lower, diag, upper, rhs, x, systems, {.use = "custom/serial"});
                 }),
                 "never exchanges rows"));
}

TEST_CASE("the first failing pivot is named once, by every row, and other systems are solved") {
  Context ctx = Context::host();
  constexpr std::int64_t kSystems = 40, kBad = 11, kBadToo = 30;
  int told = 0;
  for (const Implementation* i : host_rows("tridiagonal")) {
    for (const std::int64_t n : {6, 33, 200}) {
      for (const Systems& systems : {contiguous(n, kSystems), interleaved(n, kSystems)}) {
        for (const std::int64_t row : {std::int64_t{0}, std::int64_t{3}, n / 2, n - 1}) {
          INFO(i->name, ", row ", row, " of ", n, ", stride ", systems.row);
          Batch batch(systems, n * kSystems);
          for (const std::int64_t k : {kBad, kBadToo}) {  // 0, or 1 1 / 1 1 in rows row − 1 and row
            const auto at = [&](std::int64_t r) { return batch.index(k, r); };
            if (row > 1) batch.upper[at(row - 2)] = batch.lower[at(row - 1)] = 0;
            if (row + 1 < n) batch.upper[at(row)] = batch.lower[at(row + 1)] = 0;
            batch.diag[at(row)] = row > 0;
            if (row > 0) batch.diag[at(row - 1)] = batch.upper[at(row - 1)] = batch.lower[at(row)] = 1;
          }
          try {
            batch.solve(ctx, {.use = i->name});
            FAIL_CHECK("nothing was thrown");
          } catch (const SingularSystem& error) {
            CHECK(error.system == kBad);
            CHECK(error.row == row);
            ++told;
          } catch (const Unavailable&) {  // does not take such a shape, and said why
            continue;
          }
          for (std::int64_t r = 0; r < n; ++r) {
            const std::size_t at = batch.index(kBad + 1, r);
            CHECK(std::fabs(batch.x[at] - Batch::solution(kBad + 1, r)) < 1e-12 * 300);
          }
          ctx.synchronize();  // it was told already
          Batch good(systems, n * kSystems);
          good.solve(ctx, {.use = i->name});
          CHECK(good.solved(good.x));
        }
      }
    }
  }
  CHECK(told >= 50);
}

TEST_CASE("lists of systems of different lengths") {
  Context ctx = Context::host();
  const std::vector<std::vector<std::int64_t>> lists = {
      {0, 1}, {0, 1, 2, 3}, {0, 3, 4, 700, 702}, {2, 5, 7, 8}, {0, 300, 600, 601, 900, 1200}};
  int solvers = 0;
  for (const Implementation* i : host_rows("tridiagonal")) {
    CAPTURE(i->name);
    for (const std::vector<std::int64_t>& offsets : lists) {
      const std::int64_t begin = offsets.front(), end = offsets.back(), size = end + 2;
      std::vector<double> lower(static_cast<std::size_t>(size), kNan), diag = lower, upper = lower,
                                                                       rhs = lower, x(lower.size(), -7);
      const auto solution = [](std::int64_t row) { return 1 + static_cast<double>(row % 50); };
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
        for (std::int64_t row = offsets[s]; row < offsets[s + 1]; ++row) {
          const auto at = static_cast<std::size_t>(row);
          const bool first = row == offsets[s], last = row + 1 == offsets[s + 1];
          diag[at] = 4;
          if (!first) lower[at] = -1;
          if (!last) upper[at] = -1;
          rhs[at] = 4 * solution(row) - (first ? 0 : solution(row - 1)) - (last ? 0 : solution(row + 1));
        }
      }
      const SystemList list = system_list(offsets);
      try {
        tridiagonal(ctx, lower, diag, upper, rhs, x, list, {.use = i->name});
      } catch (const Unavailable&) {  // takes systems of one length only, or finds them too short
        continue;
      }
      ++solvers;
      double worst = 0;
      for (std::int64_t row = 0; row < size; ++row) {
        const double wanted = row < begin || row >= end ? -7 : solution(row);
        worst = std::max(worst, std::fabs(x[static_cast<std::size_t>(row)] - wanted));
      }
      CHECK(worst < 1e-12);
      // A pivot of zero, where no row may be exchanged and where there is none left.
      const auto row = static_cast<std::size_t>(end - 1);
      diag[row] = lower[row] = 0;
      try {
        tridiagonal(ctx, lower, diag, upper, rhs, x, list, {.use = i->name});
        FAIL_CHECK("nothing was thrown");
      } catch (const SingularSystem& error) {
        CHECK(error.system == static_cast<std::int64_t>(offsets.size()) - 2);
        CHECK(error.row < offsets.back() - offsets[offsets.size() - 2]);
      }
    }
  }
  CHECK(solvers >= 10);  // serial and threads take every list
}

TEST_CASE("bad lists") {
  Context ctx = Context::host();
  Batch b(contiguous(4, 5), 20);
  const auto refused = [&](std::vector<std::int64_t> offsets, const std::vector<std::string>& parts) {
    bad(
        b.x, [&] { tridiagonal(ctx, b.lower, b.diag, b.upper, b.rhs, b.x, system_list(offsets)); }, parts);
  };
  refused({}, {"tridiagonal: size of 'offsets' is 0; it must be at least 2, one more than the systems"});
  refused({0}, {"size of 'offsets' is 1"});
  refused({-1, 4}, {"offsets[0] is -1; it must be at least 0"});
  refused({0, 4, 4, 8}, {"offsets[2] is 4; it must be at least 5, as each system has a row"});
  refused({0, 6, 5}, {"offsets[2] is 5; it must be at least 7"});
  refused({0, 21}, {"offsets[1] is 21; it must be at most 20, the size of 'x'"});
  refused({0, INT64_MAX}, {"offsets[1] is 9223372036854775807; it must be at most 20"});
  const std::vector<std::int64_t> offsets{0, 4};
  bad(b.x,
      [&] {
        tridiagonal(ctx, View<const double>{b.lower.data(), 19}, b.diag, b.upper, b.rhs, b.x,
                    system_list(offsets));
      },
      {"size of 'lower' is 19; it must be 20, the size of 'x'"});
  bad(b.x, [&] { tridiagonal(ctx, b.x, b.diag, b.upper, b.rhs, b.x, system_list(offsets)); },
      {"'x' overlaps 'lower'"});
  CHECK(contains(thrown<Unavailable>([&] {
                   tridiagonal(ctx, b.lower, b.diag, b.upper, b.rhs, b.x, system_list(offsets),
                               {.use = "custom/simd"});
                 }),
                 "takes systems of one length only"));
}

#ifdef TANDEM_HAS_SIMT
TEST_CASE("tiles of tiles of tiles, on the executor") {
  const auto rows = host_rows("tridiagonal");
  const auto row = [&](const char* name) -> const Implementation& {
    return **std::find_if(rows.begin(), rows.end(), [&](auto* i) { return i->name == name; });
  };
  const Operation& op = operation("tridiagonal");
  Context ctx = Context::host();
  for (const auto& [n, systems, variant] :
       {std::tuple{131'600, 8, "interleaved"}, {2'100'007, 1, "contiguous"}}) {
    for (int c = 0; c < static_cast<int>(op.cases.size()); ++c) {
      const CaseId id = op.cases[static_cast<std::size_t>(c)];
      if (id.type != Type::f64) continue;  // fewest rows to a tile
      for (const Trial& trial : op.benchmarks_at(id, {n, systems, 0}, 1)) {
        if (trial.variant != variant) continue;
        const auto problem = op.make(ctx, c, trial);
        for (const char* name : {"tridiagonal/custom/tiles@simt", "tridiagonal/custom/pivoting_tiles@simt"}) {
          problem->reset();
          const Verdict verdict = check(row(name), c, *problem, ctx, trial.n);
          CHECK_MESSAGE(verdict.correct, name, " ", trial.str(), ": ", verdict.text);
        }
      }
    }
  }
}
TEST_CASE("tiles in which every pivot is zero are looked through once, not by every thread") {
  Context ctx = Context::host();
  constexpr std::int64_t kRows = 1'000'000;
  std::vector<double> diag(kRows, 0), ones(kRows, 1), x(kRows);
  diag[0] = 1;  // 1, −1, 1, …: elimination from the top meets no zero
  const std::string message = thrown<SingularSystem>([&] {
    tridiagonal(ctx, ones, diag, ones, ones, x, contiguous(kRows, 1),
                {.use = "tridiagonal/custom/tiles@simt"});
  });
  CHECK_MESSAGE(message.find("row 0") != message.npos, message);
}
TEST_CASE(
    "tiles that exchange rows solve what has no other pivots, and find the row of a long singular system") {
  Context ctx = Context::host();
  constexpr std::int64_t kRows = 100'000;
  std::vector<double> diag(kRows, 0), ones(kRows, 1), rhs(kRows, 1), x(kRows);
  Systems systems = contiguous(kRows, 1);
  systems.pivot = true;
  const Options use{.use = "tridiagonal/custom/pivoting_tiles@simt"};
  tridiagonal(ctx, ones, diag, ones, rhs, x, systems, use);  // x[i−1] + x[i+1] = 1
  for (std::int64_t i = 0; i < kRows; ++i) {
    const double before = i > 0 ? x[static_cast<std::size_t>(i) - 1] : 0,
                 behind = i + 1 < kRows ? x[static_cast<std::size_t>(i) + 1] : 0;
    REQUIRE(before + behind == 1);
  }
  constexpr std::size_t kZeros = 76'543;  // the column of these numbers is zero
  std::vector<double> lower(kRows, 1), upper(kRows, 1);
  upper[kZeros - 1] = lower[kZeros + 1] = 0;
  const std::string message =
      thrown<SingularSystem>([&] { tridiagonal(ctx, lower, diag, upper, rhs, x, systems, use); });
  CHECK_MESSAGE(contains(message, "row " + std::to_string(kZeros)), message);
}
#endif

TEST_CASE("what is not finite, and what is singular, stays in its system, on every path") {
  Context ctx = Context::host();
  for (const Implementation* row : host_rows("tridiagonal")) {
    CAPTURE(row->name);
    const Options use{.use = row->name};
    for (const std::int64_t n : {1, 7, 64, 255}) {
      CAPTURE(n);
      Batch b(contiguous(n, 40), 40 * n);
      constexpr std::int64_t kBad = 17;
      const auto others_are_right = [&](Batch& batch) {
        for (std::int64_t i = 0; i < n; ++i) batch.x[batch.index(kBad, i)] = Batch::solution(kBad, i);
        CHECK(batch.solved(batch.x));
      };
      try {
        for (const double bad : {kNan, std::numeric_limits<double>::infinity()}) {
          Batch other = b;
          other.rhs[other.index(kBad, n / 2)] = bad;
          other.solve(ctx, use);
          const auto from = other.x.begin() + kBad * n;
          CHECK(std::any_of(from, from + n, [](double x) { return !std::isfinite(x); }));
          others_are_right(other);
        }
      } catch (const Unavailable&) {  // this path does not take such a batch, and said why
        continue;
      }
      if (!row->deviates.empty()) continue;
      b.diag[b.index(kBad, n - 1)] = 0;
      if (n > 1) b.lower[b.index(kBad, n - 1)] = 0;
      const std::string message = thrown<SingularSystem>([&] { b.solve(ctx, use); });
      CHECK_MESSAGE(contains(message, "system 17 has no usable pivot in row " + std::to_string(n - 1)),
                    message);
      others_are_right(b);
    }
  }
}

TEST_CASE("status words order systems, then rows, for any length") {
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{7}, std::int64_t{1} << 33}) {
    for (const std::int64_t system : {std::int64_t{0}, std::int64_t{5}, std::int64_t{1} << 20}) {
      for (const std::int64_t row : {std::int64_t{0}, n / 2, n - 1}) {
        const std::uint64_t word = PivotFailure::encode(n, system, row);
        CHECK(word != 0);
        CHECK(PivotFailure::decode(word).system == system);
        CHECK(PivotFailure::decode(word).row == row);
        CHECK(word > PivotFailure::encode(n, system + 1, 0));
      }
    }
  }
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  Batch b(contiguous(4, 5), 20);
  const auto expect = [&](const Systems& systems, const std::vector<std::string>& parts) {
    bad(
        b.x, [&] { tridiagonal(ctx, b.lower, b.diag, b.upper, b.rhs, b.x, systems); }, parts);
  };
  for (const std::int64_t zero : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN}) {
    const std::string is = " is " + std::to_string(zero) + "; it must be at least 1";
    expect(contiguous(zero, 5), {"tridiagonal: n" + is});
    expect(contiguous(4, zero), {"tridiagonal: inner" + is});
    expect({4, 5, zero, 1, 4, 20}, {"tridiagonal: outer" + is});
  }
  expect({4, 5, 1, 1, 3, 0}, {"stride of the systems is 3; it must be at least 4, or unknowns meet"});
  expect({4, 5, 1, 1, 0, 0}, {"stride of the systems is 0"});
  expect({4, 5, 1, -1, 4, 0}, {"stride of the rows is -1"});
  expect({4, 5, 1, 4, 1, 0}, {"stride of the rows is 4; it must be at least 5"});
  expect({2, 2, 2, 1, 2, 3}, {"stride of the blocks is 3; it must be at least 4"});
  expect(contiguous(4, 6), {"size of 'lower' is 20; it must be at least 24"});
  expect(contiguous(INT64_MAX / 4, 5), {"overflow 2^63 bytes"});
  expect({4, 5, 1, INT64_MAX / 2, 1, 0}, {"overflow 2^63 bytes"});

  const std::vector<double>* all[] = {&b.lower, &b.diag, &b.upper, &b.rhs};
  const char* names[] = {"lower", "diag", "upper", "rhs"};
  for (int which = 0; which < 4; ++which) {
    const auto with = [&](View<const double> view, const std::vector<std::string>& parts) {
      View<const double> in[4];
      for (int i = 0; i < 4; ++i) in[i] = {all[i]->data(), 20};
      in[which] = view;
      bad(
          b.x, [&] { tridiagonal(ctx, in[0], in[1], in[2], in[3], b.x, b.systems); }, parts);
    };
    const std::string quoted = std::string("'") + names[which] + "'";
    with({all[which]->data(), 19}, {"size of " + quoted + " is 19; it must be at least 20"});
    with({nullptr, 20}, {quoted + " is null"});
    with({shifted(all[which]->data(), 4), 20},
         {quoted + " starts at 0x", "not a multiple of its element size 8"});
    with({b.x.data() + 1, 20}, {"'x' overlaps " + quoted});
    if (which < 3) with({b.x.data(), 20}, {"'x' overlaps " + quoted, "they must be apart"});
  }
  bad(b.x,
      [&] {
        tridiagonal(ctx, b.lower, b.diag, b.upper, b.rhs, View<double>{b.x.data(), 19}, b.systems);
      },
      {"size of 'x' is 19; it must be at least 20"});
  for (const char* use : {"nothing", "custom/nothing", "gemm/custom/serial", "custom", "*", "/"}) {
    bad(b.x, [&] { b.solve(ctx, {.use = use}); },
        {std::string("tridiagonal: unknown implementation '") + use + "'", "known: custom/serial"});
  }
  CHECK(refused_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
