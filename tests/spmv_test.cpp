// CsrMatrix and spmv by their public functions: right calls of both types; odd but legal ones; and bad ones, each of which
// throws the right exception, names operation, argument and value, and leaves outputs untouched.

#include "tandem/spmv.h"

#include <cmath>
#include <limits>
#include <utility>

#include "lib/harness/sparse_matrices.h"
#include "lib/harness/test_data.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

using Offsets = std::vector<std::int64_t>;
using Columns = std::vector<std::int32_t>;
using WideColumns = std::vector<std::int64_t>;

template <class T>
std::vector<T> multiplied(const CsrArrays& a, const std::vector<T>& values, const std::vector<T>& x,
                          const std::vector<T>& y, SpmvFactors<T> factors) {
  std::vector<T> result;
  for (std::size_t r = 0; r + 1 < a.offsets.size(); ++r) {
    T sum = 0;
    for (auto k = static_cast<std::size_t>(a.offsets[r]); k < static_cast<std::size_t>(a.offsets[r + 1]); ++k)
      sum += values[k] * x[static_cast<std::size_t>(a.columns[k])];
    result.push_back(factors.alpha * sum + factors.beta * y[r]);
  }
  return result;
}

/// 4 × 5; row 1 is empty, row 3 has two elements in one column, and elements stand in no order.
struct Small {
  Offsets offsets{0, 2, 2, 4, 7};
  Columns columns{4, 0, 1, 2, 3, 0, 3};
  std::vector<float> values{1, 2, 3, 4, 5, 6, 7}, x{1, 10, 100, 1000, 10000}, y{-1, -2, -3, -4};
};

}  // namespace

TEST_SUITE_BEGIN("spmv");

TEST_CASE_TEMPLATE("all paths, matrices and factors", T, float, double) {
  Context ctx = Context::host();
  int calls = 0;
  for (const Implementation* i : host_rows("spmv")) {
    CAPTURE(i->name);
    for (const Family family :
         {Family::stencil, Family::banded, Family::rmat, Family::dense_row, Family::wide, Family::tall,
          Family::mostly_empty, Family::empty_ends, Family::empty}) {
      CAPTURE(static_cast<int>(family));
      const CsrArrays arrays = matrix_of(family, 1000, 9);
      const std::vector<T> values = small_numbers<T>(arrays.columns.size()),
                           x = small_numbers<T>(static_cast<std::size_t>(arrays.cols)),
                           before = small_numbers<T>(1000);
      const CsrMatrix checked(ctx, 1000, arrays.cols, arrays.offsets, arrays.columns, values);
      const auto unchecked =
          CsrMatrix<T>::unchecked(1000, arrays.cols, arrays.offsets, arrays.columns, values);
      const SpmvPlan<T> plan = analyse(ctx, unchecked);
      CHECK(plan.longest() == checked.longest());
      for (const SpmvFactors<T>& factors : {SpmvFactors<T>{}, {2, 0}, {1, 1}, {T(-0.5), 3}, {0, 2}, {0, 0}}) {
        for (const CsrMatrix<T>* a : {&checked, &unchecked}) {
          std::vector<T> y = before;
          spmv(ctx, *a, x, y, factors, {.use = i->name});
          CHECK(y == multiplied(arrays, values, x, before, factors));
          CHECK(ctx.last().implementation == i->name);
          ++calls;
        }
        std::vector<T> y = before;
        spmv(ctx, plan, x, y, factors, {.use = i->name});
        CHECK(y == multiplied(arrays, values, x, before, factors));
      }
    }
  }
  CHECK(calls >= 9 * 12);
}

TEST_CASE("a matrix knows what was looked up") {
  Context ctx = Context::host();
  const Small s;
  const CsrMatrix a(ctx, 4, 5, s.offsets, s.columns, s.values);
  CHECK(a.rows() == 4);
  CHECK(a.cols() == 5);
  CHECK(a.elements() == 7);
  CHECK(a.longest() == 3);
  CHECK(a.offsets() == s.offsets.data());
  CHECK(a.columns().as<std::int32_t>() == s.columns.data());
  CHECK(a.columns().as<std::int64_t>() == nullptr);
  CHECK(a.values() == s.values.data());
  const auto b = CsrMatrix<float>::unchecked(4, 5, s.offsets, s.columns, s.values);
  CHECK(b.longest() == -1);
  CHECK(b.elements() == 7);
}

TEST_CASE_TEMPLATE("column numbers of 64 bits, borrowed", T, float, double) {
  Context ctx = Context::host();
  for (const Family family : {Family::banded, Family::rmat, Family::dense_row, Family::wide, Family::empty}) {
    CAPTURE(kFamilies[static_cast<int>(family)]);
    const CsrArrays arrays = matrix_of(family, 1000, 9);
    const WideColumns wide(arrays.columns.begin(), arrays.columns.end());
    const std::vector<T> values = small_numbers<T>(wide.size()),
                         x = small_numbers<T>(static_cast<std::size_t>(arrays.cols)),
                         before = small_numbers<T>(1000);
    const CsrMatrix a(ctx, 1000, arrays.cols, arrays.offsets, wide, values);
    CHECK(a.columns().type() == Type::i64);
    CHECK(a.columns().data() == wide.data());
    CHECK(a.longest() == CsrMatrix(ctx, 1000, arrays.cols, arrays.offsets, arrays.columns, values).longest());
    const SpmvPlan<T> plan = analyse(ctx, a);
    const std::vector<T> wanted = multiplied(arrays, values, x, before, {2, 1});
    for (const Implementation* i : host_rows("spmv")) {
      CAPTURE(i->name);
      std::vector<T> y = before, of_plan = before;
      spmv(ctx, a, x, y, {2, 1}, {.use = i->name});
      CHECK(y == wanted);
      spmv(ctx, plan, x, of_plan, {2, 1}, {.use = i->name});
      CHECK(of_plan == wanted);
    }
  }
  // More columns than 32 bits count.
  const std::int64_t cols = std::int64_t{1} << 33;
  const WideColumns far{0, cols - 1, 5};
  const CsrMatrix a(ctx, 1, cols, Offsets{0, 3}, far, std::vector<T>{1, 2, 3});
  CHECK(a.columns()[1] == cols - 1);
}

TEST_CASE("a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const CsrArrays arrays = matrix_of(Family::rmat, 50'000, 9);
  const Array<float> values(ctx, small_numbers<float>(arrays.columns.size())),
      x(ctx, small_numbers<float>(50'000));
  const CsrMatrix a(ctx, 50'000, 50'000, arrays.offsets, arrays.columns, values);
  Array<float> y(ctx, 50'000);
  spmv(ctx, a, x, y);
  const std::size_t before = ctx.allocations();
  spmv(ctx, a, x, y), spmv(ctx, a, x, y);
  CHECK(ctx.allocations() == before);
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  const Small s;
  const CsrMatrix a(ctx, 4, 5, s.offsets, s.columns, s.values);
  std::vector<float> y(4);
  spmv(ctx, a, s.x, y);
  count(y == std::vector<float>{10002, 0, 430, 12006});
  y = s.y;
  spmv(ctx, a, s.x, y, {.alpha = 2, .beta = 1});
  count(y == std::vector<float>{20003, -2, 857, 24008});
  // No rows; no columns; nothing at all.
  const View<const float> none{nullptr, 0};
  const View<const std::int32_t> no_columns{nullptr, 0};
  spmv(ctx, CsrMatrix<float>(ctx, 0, 5, Offsets{0}, no_columns, none), s.x, View<float>{nullptr, 0});
  y = s.y;
  spmv(ctx, CsrMatrix<float>(ctx, 4, 0, Offsets(5, 0), no_columns, none), none, y, {.beta = -1});
  count(y == std::vector<float>{1, 2, 3, 4});
  spmv(ctx, CsrMatrix<float>(ctx, 0, 0, Offsets{0}, no_columns, none), none, View<float>{nullptr, 0});
  // The first two rows of a larger matrix.
  std::vector<float> two(2);
  const auto first_rows =
      CsrMatrix(ctx, 2, 5, View<const std::int64_t>{s.offsets.data(), 3},
                View<const std::int32_t>{s.columns.data(), 2}, View<const float>{s.values.data(), 2});
  spmv(ctx, first_rows, s.x, two);
  count(two == std::vector<float>{10002, 0});
  // What must not be read does not matter: y where β is 0, A and x where α is 0.
  const float nan = std::nanf("");
  y.assign(4, nan);
  spmv(ctx, a, s.x, y);
  count(y == std::vector<float>{10002, 0, 430, 12006});
  const std::vector<float> nans(7, nan);
  y = s.y;
  spmv(ctx, CsrMatrix(ctx, 4, 5, s.offsets, s.columns, nans), View<const float>{nans.data(), 5}, y,
       {.alpha = 0, .beta = 2});
  count(y == std::vector<float>{-2, -4, -6, -8});
  // A NaN stays in its row; an infinite factor multiplies the sum.
  std::vector<float> values = s.values;
  values[2] = nan;
  spmv(ctx, CsrMatrix(ctx, 4, 5, s.offsets, s.columns, values), s.x, y);
  count(y[0] == 10002 && y[1] == 0 && std::isnan(y[2]) && y[3] == 12006);
  const float infinity = std::numeric_limits<float>::infinity();
  spmv(ctx, a, s.x, y, {.alpha = infinity});
  count(y[0] == infinity && std::isnan(y[1]) && y[2] == infinity);
  // Values may change, and A may be its own x.
  values = {1, 1, 1, 1, 1, 1, 1};
  const CsrMatrix ones(ctx, 4, 5, s.offsets, s.columns, values);
  values[0] = 2;
  spmv(ctx, ones, View<const float>{values.data(), 5}, y);
  count(y == std::vector<float>{4, 0, 2, 4});
  // Neighbours that touch but do not overlap.
  std::vector<float> memory(9, 1);
  spmv(ctx, ones, View<const float>{&memory[4], 5}, View<float>{memory.data(), 4});
  count(memory == std::vector<float>{3, 0, 2, 3, 1, 1, 1, 1, 1});
  CHECK(count.count == 10);
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  Small s;
  std::vector<float> y(8, -7);
  const View<float> out{y.data(), 4};
  const int before = refused_calls;
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(y, call, {part});
  };
  // Matrices.
  const auto bad_matrix = [&](std::int64_t rows, std::int64_t cols, const Offsets& offsets,
                              const Columns& columns, const std::vector<float>& values,
                              const std::string& part) {
    bad([&] { spmv(ctx, CsrMatrix(ctx, rows, cols, offsets, columns, values), s.x, out); },
        "CsrMatrix: " + part);
  };
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{-1000000007}, INT64_MIN}) {
    bad_matrix(n, 5, s.offsets, s.columns, s.values,
               "rows is " + std::to_string(n) + "; it must be at least 0");
    bad_matrix(4, n, s.offsets, s.columns, s.values,
               "cols is " + std::to_string(n) + "; it must be at least 0");
  }
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{3}, std::int64_t{5}, INT64_MAX}) {
    bad_matrix(n, 5, s.offsets, s.columns, s.values,
               "size of 'offsets' is 5; it must be one more than rows, " + std::to_string(n));
  }
  bad_matrix(0, 5, {}, s.columns, s.values, "size of 'offsets' is 0; it must be one more than rows, 0");
  bad_matrix(4, 5, s.offsets, s.columns, {1, 2, 3, 4, 5, 6}, "size of 'values' is 6; it must be 7");
  bad_matrix(4, 5, s.offsets, {4, 0, 1, 2, 3, 0}, s.values, "size of 'values' is 7; it must be 6");
  bad_matrix(4, 5, {-1, 2, 2, 4, 7}, s.columns, s.values, "offset 0 is -1; it must be 0");
  bad_matrix(4, 5, {1, 2, 2, 4, 7}, s.columns, s.values, "offset 0 is 1; it must be 0");
  bad_matrix(4, 5, {0, 2, 1, 4, 7}, s.columns, s.values,
             "offset 2 is 1; it must be at least 2, which is offset 1");
  bad_matrix(4, 5, {0, 2, 2, 4, INT64_MIN}, s.columns, s.values, "offset 4 is -9223372036854775808");
  bad_matrix(4, 5, {0, 2, 2, 4, 8}, s.columns, s.values,
             "offset 4 is 8; it must be 7, the size of 'columns'");
  bad_matrix(4, 5, {0, 2, 2, 4, 6}, s.columns, s.values,
             "offset 4 is 6; it must be 7, the size of 'columns'");
  bad_matrix(4, 5, {0, 2, 2, INT64_MAX, INT64_MAX}, s.columns, s.values,
             "offset 4 is 9223372036854775807; it must be 7");
  for (std::size_t k = 0; k < s.columns.size(); ++k) {
    for (const std::int32_t column : {-1, 5, INT32_MIN, INT32_MAX}) {
      Columns columns = s.columns;
      columns[k] = column;
      bad_matrix(4, 5, s.offsets, columns, s.values,
                 "column number " + std::to_string(k) + " is " + std::to_string(column) +
                     "; it must be from 0 to 4");
    }
  }
  WideColumns wide(s.columns.begin(), s.columns.end());
  for (std::size_t k = 0; k < wide.size(); ++k) {
    for (const std::int64_t column : {INT64_MIN, std::int64_t{-1}, std::int64_t{5}, std::int64_t{1} << 31,
                                      std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1, INT64_MAX}) {
      const std::int64_t right = std::exchange(wide[k], column);
      bad([&] { spmv(ctx, CsrMatrix(ctx, 4, 5, s.offsets, wide, s.values), s.x, out); },
          "CsrMatrix: column number " + std::to_string(k) + " is " + std::to_string(column) +
              "; it must be from 0 to 4");
      wide[k] = right;
    }
  }
  const View<const std::int64_t> of_wide{wide.data(), 7};
  bad(
      [&] {
        CsrMatrix(ctx, 4, 5, s.offsets, View<const std::int64_t>{nullptr, 7}, s.values);
      },
      "CsrMatrix: 'columns' is null, but its size is 7");
  bad(
      [&] {
        CsrMatrix(ctx, 4, 5, s.offsets, View<const std::int64_t>{shifted(wide.data(), 4), 7}, s.values);
      },
      "CsrMatrix: 'columns' starts at 0x");
  bad([&] { CsrMatrix(ctx, 4, 5, s.offsets, of_wide, std::vector<float>(6)); },
      "CsrMatrix: size of 'values' is 6; it must be 7");
  const auto bad_views = [&](View<const std::int64_t> offsets, View<const std::int32_t> of_columns,
                             View<const float> values, const std::string& part) {
    bad([&] { CsrMatrix(ctx, 4, 5, offsets, of_columns, values); }, "CsrMatrix: " + part);
  };
  const View<const std::int64_t> offsets{s.offsets.data(), 5};
  const View<const std::int32_t> of_columns{s.columns.data(), 7};
  const View<const float> values{s.values.data(), 7};
  bad_views({nullptr, 5}, of_columns, values, "'offsets' is null, but its size is 5");
  bad_views(offsets, {nullptr, 7}, values, "'columns' is null, but its size is 7");
  bad_views(offsets, of_columns, {nullptr, 7}, "'values' is null, but its size is 7");
  bad_views(offsets, {of_columns.data, -1}, {values.data, -1}, "size of 'columns' is -1");
  bad_views({shifted(offsets.data, 4), 5}, of_columns, values, "'offsets' starts at 0x");
  bad_views(offsets, {shifted(of_columns.data, 2), 7}, values, "'columns' starts at 0x");
  bad_views(offsets, of_columns, {shifted(values.data, 1), 7}, "'values' starts at 0x");
  bad([&] { CsrMatrix<float>::unchecked(-1, 5, s.offsets, s.columns, s.values); }, "CsrMatrix: rows is -1");
  bad([&] { CsrMatrix<float>::unchecked(3, 5, s.offsets, s.columns, s.values); }, "size of 'offsets' is 5");
  // Calls.
  const CsrMatrix a(ctx, 4, 5, s.offsets, s.columns, s.values);
  const auto bad_call = [&](View<const float> x, View<float> to, const std::string& part,
                            const Options& options = {}) {
    bad([&] { spmv(ctx, a, x, to, {}, options); }, "spmv: " + part);
  };
  const View<const float> x{s.x.data(), 5};
  for (const std::int64_t n : {0, 4, 6})
    bad_call({x.data, n}, out,
             "size of 'x' is " + std::to_string(n) + "; it must be 5, the cols of the matrix");
  for (const std::int64_t n : {0, 3, 5}) {
    bad_call(x, {y.data(), n},
             "size of 'y' is " + std::to_string(n) + "; it must be 4, the rows of the matrix");
  }
  bad_call({x.data, -1}, out, "size of 'x' is -1; it must be at least 0");
  bad_call({x.data, INT64_MAX}, out, "size of 'x' is 9223372036854775807; 9223372036854775807 elements of 4");
  bad_call({nullptr, 5}, out, "'x' is null, but its size is 5");
  bad_call(x, {nullptr, 4}, "'y' is null, but its size is 4");
  bad_call({shifted(x.data, 2), 5}, out, "'x' starts at 0x");
  bad_call(x, {shifted(y.data(), 3), 4}, "'y' starts at 0x");
  for (const int distance : {0, 1, 4}) bad_call({y.data(), 5}, {y.data() + distance, 4}, "'y' overlaps 'x'");
  for (const char* use : {"nothing", "custom/nothing", "reduce/custom", "*"})
    bad_call(x, out, std::string("unknown implementation '") + use + "'", {.use = use});
  bad_call(x, out, "bits is portable; only reduce", {.bits = portable});
  // Plans.
  bad(
      [&] {
        analyse(ctx,
                CsrMatrix<float>::unchecked(4, 5, View<const std::int64_t>{nullptr, 5}, s.columns, s.values));
      },
      "analyse: 'offsets' is null, but its size is 5");
  const SpmvPlan<float> plan = analyse(ctx, a);
  bad([&] { spmv(ctx, plan, x, View<float>{y.data(), 3}); }, "spmv: size of 'y' is 3; it must be 4");
  bad([&] { spmv(ctx, plan, x, out, {}, {.use = "nothing"}); }, "spmv: unknown implementation 'nothing'");
  // y among the arrays of A.
  const auto overlaps = [&](auto& watched, const std::string& name) {
    ++refused_calls;
    const auto copy = watched;
    const View<float> to{reinterpret_cast<float*>(watched.data()), 4};
    CHECK(
        contains(thrown<InvalidArgument>([&] { spmv(ctx, a, x, to); }), "spmv: 'y' overlaps '" + name + "'"));
    CHECK(watched == copy);
  };
  overlaps(s.offsets, "offsets"), overlaps(s.columns, "columns"), overlaps(s.values, "values");
  const CsrMatrix of_64(ctx, 4, 5, s.offsets, wide, s.values);
  const WideColumns copy = wide;
  const View<float> end_of_wide{reinterpret_cast<float*>(wide.data() + 5), 4};
  ++refused_calls;
  CHECK(contains(thrown<InvalidArgument>([&] { spmv(ctx, of_64, x, end_of_wide); }),
                 "spmv: 'y' overlaps 'columns'"));
  CHECK(wide == copy);
  const int bad_calls = refused_calls - before;
  MESSAGE(bad_calls, " bad calls");
  CHECK(bad_calls >= 50);
}

TEST_CASE("the size of a matrix of the tables is known before it is made") {
  for (std::size_t f = 0; f < std::size(kFamilies); ++f) {
    const auto family = static_cast<Family>(f);
    INFO(kFamilies[f]);
    for (const auto& extents : std::initializer_list<std::pair<std::int64_t, std::int64_t>>{
             {0, 1}, {1, 1}, {1, 70}, {700, 3}, {4097, 1}, {5000, 27}, {8191, 33}, {4200, 6001}, {70, 500}}) {
      const std::int64_t rows = extents.first, length = extents.second;
      INFO(rows, " rows of ", length);
      const CsrArrays a = matrix_of(family, rows, length);
      const MatrixSize size = matrix_size(family, rows, length);
      CHECK(size.cols == a.cols);
      CHECK(size.elements == a.offsets.back());
      std::int64_t longest = 0;
      for (std::size_t i = 1; i < a.offsets.size(); ++i)
        longest = std::max(longest, a.offsets[i] - a.offsets[i - 1]);
      if (family != Family::rmat) CHECK(size.longest == longest);
      CHECK(size.longest <= 2 * longest);  // of a graph about
      CHECK(longest <= 2 * size.longest);
    }
  }
}

TEST_SUITE_END();

}  // namespace tandem
