// SellMatrix and spmv of it by their public functions: right calls of both types; odd but legal ones; and bad ones, each of which
// throws the right exception, names operation, argument and value, and leaves outputs untouched.

#include "tandem/spmv_sell.h"

#include <cmath>
#include <limits>

#include "lib/harness/sparse_matrices.h"
#include "lib/harness/test_data.h"
#include "lib/ops/spmv/quotient.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

using Offsets = std::vector<std::int64_t>;
using Numbers = std::vector<std::int32_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// 5 x 4 in slices of two rows: 0: (1, 2 at 0 and 3), 1: empty, 2: (3 at 1), 3: (4, 5, 6 at 2, 0 and 2), 4: (7 at 3). Padding is NaN.
struct Small {
  Offsets offsets{0, 4, 10, 12};
  Numbers columns{0, -1, 3, -1, 1, 2, -1, 0, -1, 2, 3, -1};
  std::vector<float> values{1, kNan, 2, kNan, 3, 4, kNan, 5, kNan, 6, 7, kNan}, x{1, 10, 100, 1000},
      y{-1, -2, -3, -4, -5};
};

}  // namespace

TEST_SUITE_BEGIN("spmv_sell");

TEST_CASE_TEMPLATE("all paths, matrices, slices and factors give what rows give", T, float, double) {
  Context ctx = Context::host();
  int calls = 0;
  for (const Implementation* i : host_rows("spmv_sell")) {
    CAPTURE(i->name);
    for (const Family family :
         {Family::stencil, Family::banded, Family::rmat, Family::dense_row, Family::wide, Family::tall,
          Family::mostly_empty, Family::empty_ends, Family::empty}) {
      CAPTURE(static_cast<int>(family));
      const CsrArrays arrays = matrix_of(family, 1000, 9);
      const std::vector<T> values = small_numbers<T>(arrays.columns.size()),
                           x = small_numbers<T>(static_cast<std::size_t>(arrays.cols)),
                           before = small_numbers<T>(1000);
      const CsrMatrix rows(ctx, 1000, arrays.cols, arrays.offsets, arrays.columns, values);
      for (const auto& [slice_rows, sort_rows] :
           {std::pair{32, 1}, {32, 1000}, {1, 1}, {7, 100}, {1000, 1}, {4096, 5}}) {
        const OwnedSell<T> a = to_sell(ctx, rows, slice_rows, sort_rows);
        CHECK((a.row_numbers().size() == 0 || sort_rows > 1));
        for (const SpmvFactors<T>& factors : {SpmvFactors<T>{}, {2, 0}, {T(-0.5), 3}, {0, 2}, {0, 0}}) {
          std::vector<T> y = before, want = before;
          spmv(ctx, a.view(), x, y, factors, {.use = i->name});
          CHECK(ctx.last().implementation == i->name);
          spmv(ctx, rows, x, want, factors, {.use = "custom/serial"});
          CHECK(y == want);
          ++calls;
        }
      }
    }
  }
  CHECK(calls >= 3 * 9 * 6 * 5);
}

TEST_CASE("there and back") {
  Context ctx = Context::host();
  const CsrArrays arrays = matrix_of(Family::tall, 300, 9);
  const std::vector<double> values = small_numbers<double>(arrays.columns.size());
  const CsrMatrix rows(ctx, 300, arrays.cols, arrays.offsets, arrays.columns, values);
  for (const std::int64_t sort_rows : {1, 64}) {
    const OwnedSell<double> a = to_sell(ctx, rows, 16, sort_rows);
    const OwnedCsr<double> back = to_csr(ctx, a.view());
    CHECK(back.offsets().to_vector() == arrays.offsets);
    CHECK(back.columns().to_vector() == arrays.columns);
    CHECK(back.values().to_vector() == values);
  }
}

TEST_CASE("a matrix knows its arrays; a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const Small s;
  const SellMatrix a(ctx, 5, 4, 2, s.offsets, s.columns, s.values);
  CHECK(a.rows() == 5);
  CHECK(a.cols() == 4);
  CHECK(a.slice_rows() == 2);
  CHECK(a.slices() == 3);
  CHECK(a.stored() == 12);
  CHECK(a.offsets() == s.offsets.data());
  CHECK(a.columns() == s.columns.data());
  CHECK(a.values() == s.values.data());
  CHECK(a.row_numbers() == nullptr);
  Array<float> x(ctx, s.x), y(ctx, 5);
  spmv(ctx, a, x, y);
  const std::size_t before = ctx.allocations();
  spmv(ctx, a, x, y), spmv(ctx, a, x, y);
  CHECK(ctx.allocations() == before);
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  const Small s;
  const SellMatrix a(ctx, 5, 4, 2, s.offsets, s.columns, s.values);
  std::vector<float> y(5);
  for (const Implementation* i : host_rows("spmv_sell")) {
    CAPTURE(i->name);
    y.assign(5, kNan);
    spmv(ctx, a, s.x, y, {}, {.use = i->name});
    count(y == std::vector<float>{2001, 0, 30, 1005, 7000});
  }
  y = s.y;
  spmv(ctx, a, s.x, y, {.alpha = 2, .beta = 1});
  count(y == std::vector<float>{4001, -2, 57, 2006, 13995});
  // Positions in another order.
  const Numbers order{4, 3, 2, 1, 0};
  const SellMatrix turned(ctx, 5, 4, 2, s.offsets, s.columns, s.values, order);
  spmv(ctx, turned, s.x, y);
  count(y == std::vector<float>{7000, 1005, 30, 0, 2001});
  // No rows; no columns; empty slices.
  const View<const float> none{nullptr, 0};
  const View<const std::int32_t> no_columns{nullptr, 0};
  spmv(ctx, SellMatrix<float>(ctx, 0, 4, 2, Offsets{0}, no_columns, none), s.x, View<float>{nullptr, 0});
  y = s.y;
  spmv(ctx, SellMatrix<float>(ctx, 5, 0, 2, Offsets(4, 0), no_columns, none), none, y, {.beta = -1});
  count(y == std::vector<float>{1, 2, 3, 4, 5});
  // What must not be read does not matter: y where beta is 0, A and x where alpha is 0.
  const std::vector<float> nans(12, kNan);
  y = s.y;
  spmv(ctx, SellMatrix(ctx, 5, 4, 2, s.offsets, s.columns, nans), View<const float>{nans.data(), 4}, y,
       {.alpha = 0, .beta = 2});
  count(y == std::vector<float>{-2, -4, -6, -8, -10});
  y = s.y;
  spmv(ctx, turned, s.x, y, {.alpha = 0, .beta = 2});
  count(y == std::vector<float>{-2, -4, -6, -8, -10});
  // A NaN stays in its row. Values may change.
  std::vector<float> values = s.values;
  const SellMatrix changing(ctx, 5, 4, 2, s.offsets, s.columns, values);
  values[4] = kNan;
  spmv(ctx, changing, s.x, y);
  count(y[0] == 2001 && y[1] == 0 && std::isnan(y[2]) && y[3] == 1005 && y[4] == 7000);
  CHECK(count.count >= 3 + 6);
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  Small s;
  std::vector<float> y(8, -7);
  const View<float> out{y.data(), 5};
  const int before = refused_calls;
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(y, call, {part});
  };
  struct Matrix {
    std::int64_t rows = 5, cols = 4, slice_rows = 2;
    Offsets offsets = Small().offsets;
    Numbers columns = Small().columns;
    std::vector<float> values = Small().values;
    Numbers row_numbers = {};
  };
  const auto bad_matrix = [&](const Matrix& m, const std::string& part) {
    bad(
        [&] {
          spmv(ctx,
               SellMatrix(ctx, m.rows, m.cols, m.slice_rows, m.offsets, m.columns, m.values, m.row_numbers),
               s.x, out);
        },
        "SellMatrix: " + part);
  };
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{1} << 31, INT64_MIN}) {
    const std::string text = std::to_string(n);
    bad_matrix({.rows = n}, "rows is " + text);
    bad_matrix({.cols = n}, "cols is " + text);
    bad_matrix({.slice_rows = n}, "slice_rows is " + text + "; it must be from 1 to 2147483647");
  }
  bad_matrix({.slice_rows = 0}, "slice_rows is 0; it must be from 1");
  bad_matrix({.rows = 7}, "size of 'offsets' is 4; it must be 5, one more than there are slices");
  bad_matrix({.offsets = {}}, "size of 'offsets' is 0; it must be 4");
  bad_matrix({.values = {1, 2}}, "size of 'values' is 2; it must be 12");
  bad_matrix({.offsets = {1, 4, 10, 12}}, "offset 0 is 1; it must be 0");
  bad_matrix({.offsets = {0, 4, 2, 12}}, "offset 2 is 2; it must be at least 4, which is offset 1");
  bad_matrix({.offsets = {0, 4, 10, 14}}, "offset 3 is 14; it must be 12, the size of 'columns'");
  bad_matrix({.offsets = {0, 4, 9, 12}}, "slice 1 has 5 elements; it must have a multiple of slice_rows, 2");
  for (const std::int32_t column : {-2, 4, INT32_MIN, INT32_MAX}) {
    Matrix m;
    m.columns[5] = column;
    bad_matrix(m, "column number 5 is " + std::to_string(column) + "; it must be -1 or from 0 to 3");
  }
  Matrix behind;
  behind.columns[11] = 0;
  bad_matrix(behind, "column number 11 is 0; it must be -1, behind the last row");
  bad_matrix({.row_numbers = {0, 1, 2}}, "size of 'row_numbers' is 3; it must be 5, the rows");
  bad_matrix({.row_numbers = {0, 1, 2, 3, 5}}, "row number 4 is 5; it must be from 0 to 4");
  bad_matrix({.row_numbers = {0, 1, 2, -1, 4}}, "row number 3 is -1; it must be from 0 to 4");
  bad_matrix({.row_numbers = {0, 1, 2, 1, 4}}, "row number 3 is 1, and so is one before it");
  const View<const std::int64_t> offsets{s.offsets.data(), 4};
  const View<const std::int32_t> columns{s.columns.data(), 12};
  const View<const float> values{s.values.data(), 12};
  const auto bad_views = [&](View<const std::int64_t> o, View<const std::int32_t> c, View<const float> v,
                             const std::string& part) {
    bad([&] { SellMatrix(ctx, 5, 4, 2, o, c, v); }, "SellMatrix: " + part);
  };
  bad_views({nullptr, 4}, columns, values, "'offsets' is null, but its size is 4");
  bad_views(offsets, {nullptr, 12}, values, "'columns' is null, but its size is 12");
  bad_views(offsets, columns, {nullptr, 12}, "'values' is null, but its size is 12");
  bad_views({shifted(offsets.data, 4), 4}, columns, values, "'offsets' starts at 0x");
  bad([&] { SellMatrix<float>::unchecked(-1, 4, 2, s.offsets, s.columns, s.values); },
      "SellMatrix: rows is -1");
  bad(
      [&] {
        to_sell(ctx, CsrMatrix<float>::unchecked(0, 0, Offsets{0}, Numbers{}, std::vector<float>{}), 0);
      },
      "by_slices: slice_rows is 0");
  // Calls.
  const SellMatrix a(ctx, 5, 4, 2, s.offsets, s.columns, s.values);
  const auto bad_call = [&](View<const float> x, View<float> to, const std::string& part,
                            const Options& options = {}) {
    bad([&] { spmv(ctx, a, x, to, {}, options); }, "spmv_sell: " + part);
  };
  const View<const float> x{s.x.data(), 4};
  for (const std::int64_t n : {0, 3, 5})
    bad_call({x.data, n}, out,
             "size of 'x' is " + std::to_string(n) + "; it must be 4, the cols of the matrix");
  for (const std::int64_t n : {0, 4, 6})
    bad_call(x, {y.data(), n},
             "size of 'y' is " + std::to_string(n) + "; it must be 5, the rows of the matrix");
  bad_call({nullptr, 4}, out, "'x' is null, but its size is 4");
  bad_call(x, {nullptr, 5}, "'y' is null, but its size is 5");
  bad_call({shifted(x.data, 2), 4}, out, "'x' starts at 0x");
  for (const int distance : {0, 1, 3}) bad_call({y.data(), 4}, {y.data() + distance, 5}, "'y' overlaps 'x'");
  bad_call(x, {s.values.data() + 7, 5}, "'y' overlaps 'values'");
  Numbers order{4, 3, 2, 1, 0};
  const SellMatrix turned(ctx, 5, 4, 2, s.offsets, s.columns, s.values, order);
  const auto bad_target = [&](void* to, const std::string& part) {
    bad([&] { spmv(ctx, turned, x, View<float>{static_cast<float*>(to), 5}); }, "spmv_sell: " + part);
  };
  bad_target(s.offsets.data(), "'y' overlaps 'offsets'");
  bad_target(s.columns.data() + 4, "'y' overlaps 'columns'");
  bad_target(order.data(), "'y' overlaps 'row_numbers'");
  bad(
      [&] {
        SellMatrix<float>::unchecked(5, 4, 2, s.offsets, s.columns, s.values,
                                     View<const std::int32_t>{nullptr, 5});
      },
      "SellMatrix: 'row_numbers' is null, but its size is 5");
  bad(
      [&] {
        OwnedSell<float>(ctx, SparseSlices{2, 2, 2, {}, {0}, {}, {}});
      },
      "row_numbers must be as many as rows");
  for (const char* use : {"nothing", "custom/nothing", "spmv/custom/serial", "*"})
    bad_call(x, out, std::string("unknown implementation '") + use + "'", {.use = use});
  bad_call(x, out, "bits is portable; only reduce", {.bits = portable});
  CHECK(refused_calls - before >= 50);
}

TEST_CASE("quotients of numbers of 32 bits and of more") {
  constexpr std::int64_t k32 = std::int64_t{1} << 32;
  for (const std::int64_t a :
       {std::int64_t{0}, std::int64_t{6}, k32 / 2, k32 - 1, k32, 2 * k32 + 5, k32 * k32 / 4 - 1}) {
    for (const std::int64_t b : {std::int64_t{1}, std::int64_t{7}, k32 - 1, k32, k32 + 1})
      CHECK(quotient(a, b) == a / b);
  }
}

TEST_SUITE_END();

}  // namespace tandem
