// Triangular plans and sptrsv by their public functions: right calls of both types; odd but legal ones; singular matrices; and bad
// ones, each of which throws the right exception, names operation, argument and value, and leaves outputs untouched.

#include "tandem/sptrsv.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "lib/harness/test_data.h"
#include "lib/harness/triangular_matrices.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

using Offsets = std::vector<std::int64_t>;
using Columns = std::vector<std::int32_t>;
using WideColumns = std::vector<std::int64_t>;

constexpr TriangularForm kForms[] = {{Triangle::lower, Diagonal::stored},
                                     {Triangle::upper, Diagonal::stored},
                                     {Triangle::lower, Diagonal::unit},
                                     {Triangle::upper, Diagonal::unit}};

bool taken(TriangularForm form, std::int64_t r, std::int64_t j) {
  if (j == r) return form.diagonal == Diagonal::stored;
  return (form.triangle == Triangle::upper) == (j > r);
}

/// Small numbers; 2 and −2 on the diagonal.
template <class T>
std::vector<T> values_of(const CsrArrays& a) {
  std::vector<T> values = small_numbers<T>(a.columns.size());
  for (std::int64_t r = 0; r < a.cols; ++r) {
    std::size_t last = values.size();
    T sum = 0;
    for (auto k = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r) + 1]); ++k) {
      if (a.columns[k] == r) sum += values[k], last = k;
    }
    if (last < values.size()) values[last] += (r % 2 ? T(2) : T(-2)) - sum;
  }
  return values;
}

/// A·x of the triangle.
template <class T>
std::vector<T> multiplied(const CsrArrays& a, const std::vector<T>& values, const std::vector<T>& x,
                          TriangularForm form) {
  std::vector<T> b;
  for (std::int64_t r = 0; r < a.cols; ++r) {
    T sum = form.diagonal == Diagonal::unit ? x[static_cast<std::size_t>(r)] : T(0);
    for (auto k = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r) + 1]); ++k) {
      if (taken(form, r, a.columns[k])) sum += values[k] * x[static_cast<std::size_t>(a.columns[k])];
    }
    b.push_back(sum);
  }
  return b;
}

/// 4 × 4 with the factors of an incomplete factorisation:
///   2 . 5 .
///   1 4 . 3     in row 2 the columns stand in no order, and the diagonal is 1 + 1
///   . 1 2 6
///   3 . 1 1
struct Small {
  Offsets offsets{0, 2, 5, 9, 12};
  Columns columns{0, 2, 0, 1, 3, 2, 3, 1, 2, 0, 2, 3};
  std::vector<float> values{2, 5, 1, 4, 3, 1, 6, 1, 1, 3, 1, 1};
  std::vector<float> b{2, 9, 8, 10};  // lower: x = 1, 2, 3, 4
};

}  // namespace

TEST_SUITE_BEGIN("sptrsv");

TEST_CASE_TEMPLATE("all paths, matrices and forms", T, float, double) {
  constexpr std::int64_t kRows = 70;
  Context ctx = Context::host();
  int calls = 0;
  for (const Implementation* i : host_rows("sptrsv")) {
    CAPTURE(i->name);
    for (int family = 0; family < static_cast<int>(std::size(kTriangleFamilies)); ++family) {
      CAPTURE(kTriangleFamilies[family]);
      for (const TriangularForm form : kForms) {
        for (const bool both : {false, true}) {
          const CsrArrays arrays = triangle_of(static_cast<TriangleFamily>(family), kRows, 9, form, both);
          const std::vector<T> values = values_of<T>(arrays), x = small_numbers<T>(kRows),
                               b = multiplied(arrays, values, x, form);
          const CsrMatrix a(ctx, kRows, kRows, arrays.offsets, arrays.columns, values);
          const SptrsvPlan<T> plan = analyse_triangular(ctx, a, form);
          for (const T alpha : {T(1), T(-2), T(0.5), T(0)}) {
            std::vector<T> wanted = x, got(kRows, T(-7)), in_place = b;
            for (T& value : wanted) value *= alpha;
            try {
              sptrsv(ctx, plan, b, got, {.alpha = alpha}, {.use = i->name});
            } catch (const Unavailable&) {
              CHECK(contains(i->path, "vendor"));
              continue;
            }
            CHECK(got == wanted);
            CHECK(ctx.last().implementation == i->name);
            sptrsv(ctx, plan, in_place, in_place, {.alpha = alpha}, {.use = i->name});
            CHECK(in_place == wanted);
            ++calls;
          }
        }
      }
    }
  }
  CHECK(calls >= 2 * 8 * 4 * 2 * 4);
}

TEST_CASE("a plan knows the levels") {
  Context ctx = Context::host();
  const Small s;
  const CsrMatrix a(ctx, 4, 4, s.offsets, s.columns, s.values);
  const SptrsvPlan<float> lower = analyse_triangular(ctx, a);
  CHECK(lower.levels() == 4);  // each needs the one before
  CHECK(lower.begins() == Offsets{0, 1, 2, 3, 4});
  CHECK(lower.order().to_vector() == Columns{0, 1, 2, 3});
  CHECK(lower.form().triangle == Triangle::lower);
  CHECK(lower.form().diagonal == Diagonal::stored);
  CHECK(lower.matrix().values() == s.values.data());
  const SptrsvPlan<float> upper = analyse_triangular(ctx, a, {.triangle = Triangle::upper});
  CHECK(upper.levels() == 3);  // 3; 1 and 2 need it; 0 needs 2
  CHECK(upper.begins() == Offsets{0, 1, 3, 4});
  CHECK(upper.order().to_vector() == Columns{3, 1, 2, 0});
  // A grid of 10³ points: as many as there are sums of coordinates.
  const CsrArrays grid = triangle_of(TriangleFamily::stencil, 1000, 7, {}, false);
  const std::vector<float> ones(grid.columns.size(), 1);
  CHECK(analyse_triangular(ctx, CsrMatrix(ctx, 1000, 1000, grid.offsets, grid.columns, ones)).levels() == 28);
  // Whatever the matrix, each row once, and behind all that it needs.
  for (int family = 0; family < static_cast<int>(std::size(kTriangleFamilies)); ++family) {
    for (const TriangularForm form : kForms) {
      const CsrArrays arrays = triangle_of(static_cast<TriangleFamily>(family), 300, 5, form, true);
      const std::vector<double> values(arrays.columns.size(), 1);
      const auto plan = analyse_triangular(
          ctx, CsrMatrix<double>::unchecked(300, 300, arrays.offsets, arrays.columns, values), form);
      std::vector<std::int64_t> level_of(300, -1);
      const Columns order = plan.order().to_vector();
      for (std::int64_t level = 0; level < plan.levels(); ++level) {
        const auto at = static_cast<std::size_t>(level);
        CHECK(plan.begins()[at] < plan.begins()[at + 1]);
        for (std::int64_t i = plan.begins()[at]; i < plan.begins()[at + 1]; ++i)
          level_of[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = level;
      }
      for (std::size_t r = 0; r < 300; ++r) {
        std::int64_t level = 0;
        for (auto k = static_cast<std::size_t>(arrays.offsets[r]);
             k < static_cast<std::size_t>(arrays.offsets[r + 1]); ++k) {
          const std::int32_t j = arrays.columns[k];
          if (j != static_cast<std::int32_t>(r) && taken(form, static_cast<std::int64_t>(r), j))
            level = std::max(level, level_of[static_cast<std::size_t>(j)] + 1);
        }
        CHECK(level_of[r] == level);
      }
    }
  }
}

TEST_CASE_TEMPLATE("column numbers of 64 bits, borrowed", T, float, double) {
  constexpr std::int64_t kRows = 70;
  Context ctx = Context::host();
  int calls = 0;
  for (int family = 0; family < static_cast<int>(std::size(kTriangleFamilies)); ++family) {
    CAPTURE(kTriangleFamilies[family]);
    for (const TriangularForm form : kForms) {
      const CsrArrays arrays = triangle_of(static_cast<TriangleFamily>(family), kRows, 9, form, true);
      const WideColumns wide(arrays.columns.begin(), arrays.columns.end());
      const std::vector<T> values = values_of<T>(arrays), x = small_numbers<T>(kRows),
                           b = multiplied(arrays, values, x, form);
      const SptrsvPlan<T> plan = analyse_triangular(
                              ctx, CsrMatrix(ctx, kRows, kRows, arrays.offsets, wide, values), form),
                          narrow = analyse_triangular(
                              ctx, CsrMatrix(ctx, kRows, kRows, arrays.offsets, arrays.columns, values),
                              form);
      CHECK(plan.matrix().columns().data() == wide.data());
      CHECK(plan.begins() == narrow.begins());
      CHECK(plan.order().to_vector() == narrow.order().to_vector());
      for (const Implementation* i : host_rows("sptrsv")) {
        CAPTURE(i->name);
        std::vector<T> got(kRows, T(-7));
        try {
          sptrsv(ctx, plan, b, got, {}, {.use = i->name});
        } catch (const Unavailable&) {
          CHECK(contains(i->path, "vendor"));
          continue;
        }
        CHECK(got == x);
        ++calls;
      }
    }
  }
  CHECK(calls >= 8 * 4 * 2);
  // x among the column numbers.
  WideColumns columns{0, 1};
  const std::vector<T> ones(2, 1);
  const auto plan = analyse_triangular(ctx, CsrMatrix(ctx, 2, 2, Offsets{0, 1, 2}, columns, ones));
  const View<T> inside{reinterpret_cast<T*>(columns.data()) + (16 / sizeof(T) - 2), 2};
  CHECK(contains(thrown<InvalidArgument>([&] { sptrsv(ctx, plan, ones, inside); }),
                 "sptrsv: 'x' overlaps 'columns'"));
}

TEST_CASE("threads share wide levels, and a call of a known size allocates nothing") {
  constexpr std::int64_t kRows = 300'000;
  Context ctx = Context::host();
  const CsrArrays arrays = triangle_of(TriangleFamily::random, kRows, 4, {}, false);
  std::vector<double> values = values_of<double>(arrays);
  const std::vector<double> wanted = small_numbers<double>(kRows), b = multiplied(arrays, values, wanted, {});
  const auto plan =
      analyse_triangular(ctx, CsrMatrix(ctx, kRows, kRows, arrays.offsets, arrays.columns, values));
  CHECK(plan.begins()[1] > 60'000);
  for (const char* use : {"sptrsv/custom/serial", "sptrsv/custom/threads", ""}) {
    std::vector<double> x(kRows);
    sptrsv(ctx, plan, b, x, {}, {.use = use});
    const std::size_t before = ctx.allocations();
    for (int run = 0; run < 5; ++run) {
      std::fill(x.begin(), x.end(), -7);
      sptrsv(ctx, plan, b, x, {}, {.use = use});
      CHECK(x == wanted);
    }
    CHECK(ctx.allocations() == before);
  }
  // The first of several, and nothing is written.
  for (const std::int64_t row : {290'000, 150'001, 150'000}) {
    for (auto k = arrays.offsets[static_cast<std::size_t>(row)];
         k < arrays.offsets[static_cast<std::size_t>(row) + 1]; ++k) {
      if (arrays.columns[static_cast<std::size_t>(k)] == row) values[static_cast<std::size_t>(k)] = 0;
    }
    for (const char* use : {"sptrsv/custom/serial", "sptrsv/custom/threads", ""}) {
      std::vector<double> x = b;
      CHECK(contains(thrown<SingularSystem>([&] { sptrsv(ctx, plan, x, x, {}, {.use = use}); }),
                     "row " + std::to_string(row) + " "));
      CHECK(x == b);
    }
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  Small s;
  const CsrMatrix a(ctx, 4, 4, s.offsets, s.columns, s.values);
  const auto lower = analyse_triangular(ctx, a);
  std::vector<float> x(4);
  sptrsv(ctx, lower, s.b, x);
  count(x == std::vector<float>{1, 2, 3, 4});
  sptrsv(ctx, lower, s.b, x, {.alpha = -0.5});
  count(x == std::vector<float>{-0.5, -1, -1.5, -2});
  const auto upper_unit = analyse_triangular(ctx, a, {Triangle::upper, Diagonal::unit});
  sptrsv(ctx, upper_unit, s.b, x);
  count(x == std::vector<float>{262, -21, -52, 10});
  // The factors L and U of one matrix, one after the other and in place.
  x = s.b;
  sptrsv(ctx, analyse_triangular(ctx, a, {.diagonal = Diagonal::unit}), x, x);
  count(x == std::vector<float>{2, 7, 1, 3});
  sptrsv(ctx, analyse_triangular(ctx, a, {.triangle = Triangle::upper}), x, x);
  count(x == std::vector<float>{22.25, -0.5, -8.5, 3});
  // No rows.
  const View<const float> none{nullptr, 0};
  const View<const std::int32_t> no_columns{nullptr, 0};
  const Offsets nothing(5, 0);
  sptrsv(ctx,
         analyse_triangular(
             ctx, CsrMatrix<float>(ctx, 0, 0, View<const std::int64_t>{nothing.data(), 1}, no_columns, none)),
         none, View<float>{nullptr, 0});
  // Ones that nobody stored.
  const auto identity = analyse_triangular(ctx, CsrMatrix<float>(ctx, 4, 4, nothing, no_columns, none),
                                           {Triangle::upper, Diagonal::unit});
  sptrsv(ctx, identity, s.b, x, {.alpha = 3});
  count(x == std::vector<float>{6, 27, 24, 30} && identity.levels() == 1);
  // What must not be read does not matter: the other triangle, a diagonal of ones, and all where α is 0.
  const float nan = std::nanf("");
  std::vector<float> values = s.values;
  for (const std::size_t k : {1u, 4u, 6u}) values[k] = nan;
  const CsrMatrix holes(ctx, 4, 4, s.offsets, s.columns, values);
  sptrsv(ctx, analyse_triangular(ctx, holes), s.b, x);
  count(x == std::vector<float>{1, 2, 3, 4});
  // The plan is of the places: values may change.
  for (const std::size_t k : {0u, 3u, 5u, 8u, 11u}) values[k] = nan;
  sptrsv(ctx, analyse_triangular(ctx, holes, {.diagonal = Diagonal::unit}), s.b, x);
  count(x == std::vector<float>{2, 7, 1, 3});
  const std::vector<float> nans(4, nan);
  std::fill(values.begin(), values.end(), nan);
  sptrsv(ctx, analyse_triangular(ctx, holes), nans, x, {.alpha = 0});
  count(x == std::vector<float>(4, 0));
  values = s.values;
  values[0] = 4;
  const auto plan = analyse_triangular(ctx, holes);
  sptrsv(ctx, plan, s.b, x);
  count(x[0] == 0.5);
  values[0] = 0.25;
  sptrsv(ctx, plan, s.b, x);
  count(x[0] == 8);
  // A NaN goes to the rows that need it alone.
  std::vector<float> b = s.b;
  b[1] = nan;
  sptrsv(ctx, analyse_triangular(ctx, a, {.triangle = Triangle::upper}), b, x);
  count(std::isnan(x[1]) && x[0] == 66 && x[2] == -26 && x[3] == 10);
  // Neighbours that touch but do not overlap.
  std::vector<float> memory{2, 9, 8, 10, -7, -7, -7, -7};
  sptrsv(ctx, lower, View<const float>{memory.data(), 4}, View<float>{&memory[4], 4});
  count(memory == std::vector<float>{2, 9, 8, 10, 1, 2, 3, 4});
  CHECK(count.count == 13);
}

TEST_CASE("a diagonal that is zero, denormal, NaN or missing is named with its row") {
  Context ctx = Context::host();
  const std::size_t diagonals[] = {0, 3, 8, 11};  // of row 2 one of two
  const std::vector<float> solutions[] = {{1, 2, 3, 4}, {66, -5.25, -26, 10}};
  for (const float bad : {0.0f, -0.0f, std::numeric_limits<float>::denorm_min(), std::nanf("")}) {
    for (const Implementation* i : host_rows("sptrsv")) {
      if (i->path == "vendor") continue;
      CAPTURE(i->name);
      for (const Triangle triangle : {Triangle::lower, Triangle::upper}) {
        for (std::size_t first = 0; first < 4; ++first) {
          Small s;
          for (std::size_t row = first; row < 4; row += 2) {
            s.values[diagonals[row]] = bad;
            if (row == 2) s.values[5] = -bad;
          }
          const auto plan =
              analyse_triangular(ctx, CsrMatrix(ctx, 4, 4, s.offsets, s.columns, s.values), {triangle});
          std::vector<float> x(4, -7), in_place = s.b;
          const auto refused = [&](const std::vector<float>& b, std::vector<float>& to) {
            const std::vector<float> before = to;
            try {
              sptrsv(ctx, plan, b, to, {}, {.use = i->name});
              FAIL("reports nothing");
            } catch (const SingularSystem& error) {
              CHECK(error.system == 0);
              CHECK(error.row == static_cast<std::int64_t>(first));
              CHECK(std::string(error.what()) == "sptrsv: the diagonal of row " + std::to_string(first) +
                                                     " is zero, denormal or NaN: the matrix is singular");
            }
            CHECK(to == before);
            ctx.synchronize();  // said once
          };
          refused(s.b, x), refused(in_place, in_place);
          const auto unit = analyse_triangular(ctx, plan.matrix(), {triangle, Diagonal::unit});
          sptrsv(ctx, unit, s.b, x, {}, {.use = i->name});
          // The plan stays good: values may change.
          const std::vector<float> good = Small().values;
          std::copy(good.begin(), good.end(), s.values.begin());
          sptrsv(ctx, plan, s.b, x, {}, {.use = i->name});
          CHECK(x == solutions[triangle == Triangle::upper]);
        }
      }
    }
  }
  Small s;
  s.columns[3] = 2, s.columns[5] = s.columns[8] = 0;
  const CsrMatrix a(ctx, 4, 4, s.offsets, s.columns, s.values);
  for (const Triangle triangle : {Triangle::lower, Triangle::upper}) {
    CHECK(thrown<SingularSystem>([&] { analyse_triangular(ctx, a, {triangle}); }) ==
          "analyse_triangular: row 1 has no element on the diagonal: the matrix is singular");
    analyse_triangular(ctx, a, {triangle, Diagonal::unit});
  }
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  Small s;
  std::vector<float> x(8, -7);
  const View<float> out{x.data(), 4};
  const View<const float> b{s.b.data(), 4};
  const int before = refused_calls;
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(x, call, {part});
  };
  // Plans.
  const auto bad_plan = [&](const CsrMatrix<float>& a, const std::string& part) {
    bad([&] { sptrsv(ctx, analyse_triangular(ctx, a), b, out); }, "analyse_triangular: " + part);
  };
  bad_plan(CsrMatrix(ctx, 4, 5, s.offsets, s.columns, s.values),
           "cols is 5; it must be 4, as there are rows");
  bad_plan(CsrMatrix<float>::unchecked(4, 3, s.offsets, s.columns, s.values),
           "cols is 3; it must be 4, as there are rows");
  bad_plan(CsrMatrix<float>::unchecked(4, 4, View<const std::int64_t>{nullptr, 5}, s.columns, s.values),
           "'offsets' is null, but its size is 5");
  bad_plan(CsrMatrix<float>::unchecked(4, 4, s.offsets, View<const std::int32_t>{nullptr, 12}, s.values),
           "'columns' is null, but its size is 12");
  constexpr std::int64_t kMany = std::int64_t{1} << 31;
  bad_plan(CsrMatrix<float>::unchecked(kMany, kMany, View<const std::int64_t>{s.offsets.data(), kMany + 1},
                                       s.columns, s.values),
           "rows is 2147483648; it must be at most 2147483647");
  // Calls.
  const CsrMatrix a(ctx, 4, 4, s.offsets, s.columns, s.values);
  const auto plan = analyse_triangular(ctx, a);
  const auto bad_call = [&](View<const float> from, View<float> to, const std::string& part,
                            const Options& options = {}) {
    bad([&] { sptrsv(ctx, plan, from, to, {}, options); }, "sptrsv: " + part);
  };
  for (const std::int64_t n : {0, 1, 2, 3, 5, 6, 7, 8, 9, 1000}) {
    const std::string is = " is " + std::to_string(n) + "; it must be 4, the rows of the matrix";
    bad_call({x.data(), n}, out, "size of 'b'" + is);
    bad_call(b, {x.data(), n}, "size of 'x'" + is);
  }
  bad_call({b.data, -1}, out, "size of 'b' is -1; it must be at least 0");
  bad_call({b.data, INT64_MAX}, out, "size of 'b' is 9223372036854775807; 9223372036854775807 elements of 4");
  bad_call({nullptr, 4}, out, "'b' is null, but its size is 4");
  bad_call(b, {nullptr, 4}, "'x' is null, but its size is 4");
  for (const int bytes : {1, 2, 3}) {
    bad_call({shifted(b.data, bytes), 4}, out, "'b' starts at 0x");
    bad_call(b, {shifted(x.data(), bytes), 4}, "'x' starts at 0x");
  }
  for (const int distance : {1, 2, 3}) {
    bad_call({x.data(), 4}, {x.data() + distance, 4}, "'x' overlaps 'b'");
    bad_call({x.data() + distance, 4}, {x.data(), 4}, "'x' overlaps 'b'");
  }
  for (const char* use :
       {"nothing", "custom/nothing", "vendor/nothing", "spmv/custom/serial", "serials", "*"})
    bad_call(b, out, std::string("unknown implementation '") + use + "'", {.use = use});
  bad_call(b, out, "bits is portable; only reduce", {.bits = portable});
  const auto no_values = analyse_triangular(
      ctx, CsrMatrix<float>::unchecked(4, 4, s.offsets, s.columns, View<const float>{nullptr, 12}));
  bad([&] { sptrsv(ctx, no_values, b, out); }, "sptrsv: 'values' is null, but its size is 12");
  // x among the arrays of A.
  const auto overlaps = [&](auto& watched, const std::string& name) {
    ++refused_calls;
    const auto copy = watched;
    const View<float> to{reinterpret_cast<float*>(watched.data()), 4};
    CHECK(contains(thrown<InvalidArgument>([&] { sptrsv(ctx, plan, b, to); }),
                   "sptrsv: 'x' overlaps '" + name + "'"));
    CHECK(watched == copy);
  };
  overlaps(s.offsets, "offsets"), overlaps(s.columns, "columns"), overlaps(s.values, "values");
  const int bad_calls = refused_calls - before;
  MESSAGE(bad_calls, " bad calls");
  CHECK(bad_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
