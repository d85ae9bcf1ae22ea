// BsrMatrix and spmv of it by their public functions: right calls of both types; odd but legal ones; and bad ones, each of which
// throws the right exception, names operation, argument and value, and leaves outputs untouched.

#include "tandem/spmv_bsr.h"

#include <cmath>
#include <limits>

#include "lib/harness/sparse_matrices.h"
#include "lib/harness/test_data.h"
#include "tests/array_calls.h"

namespace tandem {
namespace {

using Offsets = std::vector<std::int64_t>;
using Numbers = std::vector<std::int32_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// 3 x 5 in blocks of 2 x 2: (1 2; 3 4) at column 0 and (5; 6) at column 4, beyond whose right edge is NaN; the second row of blocks
/// has one of (7 8) at column 2, beyond whose lower edge is NaN.
struct Small {
  Offsets offsets{0, 2, 3};
  Numbers columns{0, 2, 1};
  std::vector<float> values{1, 2, 3, 4, 5, kNan, 6, kNan, 7, 8, kNan, kNan}, x{1, 10, 100, 1000, 10000},
      y{-1, -2, -3};
};

}  // namespace

TEST_SUITE_BEGIN("spmv_bsr");

TEST_CASE_TEMPLATE("all paths, matrices, blocks and factors give what rows give", T, float, double) {
  Context ctx = Context::host();
  int calls = 0;
  for (const Implementation* i : host_rows("spmv_bsr")) {
    CAPTURE(i->name);
    for (const Family family :
         {Family::stencil, Family::banded, Family::rmat, Family::dense_row, Family::wide, Family::tall,
          Family::mostly_empty, Family::empty_ends, Family::empty}) {
      CAPTURE(static_cast<int>(family));
      const CsrArrays arrays = matrix_of(family, 500, 9);
      const std::vector<T> values = small_numbers<T>(arrays.columns.size()),
                           x = small_numbers<T>(static_cast<std::size_t>(arrays.cols)),
                           before = small_numbers<T>(500);
      const CsrMatrix rows(ctx, 500, arrays.cols, arrays.offsets, arrays.columns, values);
      for (const auto& [height, width] : {std::pair{1, 1}, {2, 2}, {3, 5}, {4, 4}, {16, 2}, {7, 9}}) {
        const OwnedBsr<T> a = to_bsr(ctx, rows, height, width);
        for (const SpmvFactors<T>& factors : {SpmvFactors<T>{}, {2, 0}, {T(-0.5), 3}, {0, 2}, {0, 0}}) {
          std::vector<T> y = before, want = before;
          try {
            spmv(ctx, a.view(), x, y, factors, {.use = i->name});
          } catch (const Unavailable&) {  // does not take such blocks, and said why
            continue;
          }
          CHECK(ctx.last().implementation == i->name);
          spmv(ctx, rows, x, want, factors, {.use = "custom/serial"});
          CHECK(y == want);
          ++calls;
        }
      }
    }
  }
  CHECK(calls >= 2 * 9 * 6 * 5);
}

TEST_CASE("there and back") {
  Context ctx = Context::host();
  const CsrArrays arrays = matrix_of(Family::banded, 300, 9);
  std::vector<double> values = small_numbers<double>(arrays.columns.size());
  for (double& value : values) value += 4;  // no zeros
  const CsrMatrix rows(ctx, 300, arrays.cols, arrays.offsets, arrays.columns, values);
  const SparseRows sorted = canonical({300, arrays.cols, arrays.offsets, arrays.columns, values});
  const OwnedBsr<double> a = to_bsr(ctx, rows, 4, 3);
  const OwnedCsr<double> back = to_csr(ctx, a.view());
  CHECK(back.offsets().to_vector() == sorted.offsets);
  CHECK(back.columns().to_vector() == sorted.columns);
  CHECK(back.values().to_vector() == sorted.values);
}

TEST_CASE("a matrix knows its arrays; a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const Small s;
  const BsrMatrix a(ctx, 3, 5, 2, 2, s.offsets, s.columns, s.values);
  CHECK(a.rows() == 3);
  CHECK(a.cols() == 5);
  CHECK(a.block_rows() == 2);
  CHECK(a.block_cols() == 2);
  CHECK(a.rows_of_blocks() == 2);
  CHECK(a.blocks() == 3);
  CHECK(a.stored() == 12);
  CHECK(a.offsets() == s.offsets.data());
  CHECK(a.columns() == s.columns.data());
  CHECK(a.values() == s.values.data());
  Array<float> x(ctx, s.x), y(ctx, 3);
  spmv(ctx, a, x, y);
  const std::size_t before = ctx.allocations();
  spmv(ctx, a, x, y), spmv(ctx, a, x, y);
  CHECK(ctx.allocations() == before);
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  const Small s;
  const BsrMatrix a(ctx, 3, 5, 2, 2, s.offsets, s.columns, s.values);
  std::vector<float> y(3);
  for (const Implementation* i : host_rows("spmv_bsr")) {
    CAPTURE(i->name);
    y.assign(3, kNan);
    spmv(ctx, a, s.x, y, {}, {.use = i->name});
    count(y == std::vector<float>{50021, 60043, 8700});
  }
  y = s.y;
  spmv(ctx, a, s.x, y, {.alpha = 2, .beta = 1});
  count(y == std::vector<float>{100041, 120084, 17397});
  // No rows; no columns; empty rows of blocks; one block as large as the matrix, and larger.
  const View<const float> none{nullptr, 0};
  const View<const std::int32_t> no_columns{nullptr, 0};
  spmv(ctx, BsrMatrix<float>(ctx, 0, 5, 2, 2, Offsets{0}, no_columns, none), s.x, View<float>{nullptr, 0});
  y = s.y;
  spmv(ctx, BsrMatrix<float>(ctx, 3, 0, 2, 2, Offsets(3, 0), no_columns, none), none, y, {.beta = -1});
  count(y == std::vector<float>{1, 2, 3});
  const std::vector<float> ones(100, 1);
  spmv(ctx, BsrMatrix<float>(ctx, 3, 5, 3, 5, Offsets{0, 1}, Numbers{0}, View<const float>{ones.data(), 15}),
       s.x, y);
  count(y == std::vector<float>{11111, 11111, 11111});
  spmv(ctx, BsrMatrix<float>(ctx, 3, 5, 10, 10, Offsets{0, 1}, Numbers{0}, ones), s.x, y);
  count(y == std::vector<float>{11111, 11111, 11111});
  // What must not be read does not matter: y where beta is 0, A and x where alpha is 0.
  const std::vector<float> nans(12, kNan);
  y = s.y;
  spmv(ctx, BsrMatrix(ctx, 3, 5, 2, 2, s.offsets, s.columns, nans), View<const float>{nans.data(), 5}, y,
       {.alpha = 0, .beta = 2});
  count(y == std::vector<float>{-2, -4, -6});
  // A NaN stays in its row; a zero of a block is an element. Values may change.
  std::vector<float> values = s.values;
  const BsrMatrix changing(ctx, 3, 5, 2, 2, s.offsets, s.columns, values);
  values[0] = kNan;
  spmv(ctx, changing, s.x, y);
  count(std::isnan(y[0]) && y[1] == 60043 && y[2] == 8700);
  values[0] = 0;
  std::vector<float> x = s.x;
  x[0] = kNan;
  spmv(ctx, changing, x, y);
  count(std::isnan(y[0]) && std::isnan(y[1]) && y[2] == 8700);
  CHECK(count.count >= 2 + 7);
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  Small s;
  std::vector<float> y(8, -7);
  const View<float> out{y.data(), 3};
  const int before = refused_calls;
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(y, call, {part});
  };
  struct Matrix {
    std::int64_t rows = 3, cols = 5, block_rows = 2, block_cols = 2;
    Offsets offsets = Small().offsets;
    Numbers columns = Small().columns;
    std::vector<float> values = Small().values;
  };
  const auto bad_matrix = [&](const Matrix& m, const std::string& part) {
    bad(
        [&] {
          spmv(ctx,
               BsrMatrix(ctx, m.rows, m.cols, m.block_rows, m.block_cols, m.offsets, m.columns, m.values),
               s.x, out);
        },
        "BsrMatrix: " + part);
  };
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{1} << 31, INT64_MIN}) {
    const std::string text = std::to_string(n);
    bad_matrix({.rows = n}, "rows is " + text);
    bad_matrix({.cols = n}, "cols is " + text);
    bad_matrix({.block_rows = n}, "block_rows is " + text + "; it must be from 1 to 2147483647");
    bad_matrix({.block_cols = n}, "block_cols is " + text + "; it must be from 1 to 2147483647");
  }
  bad_matrix({.block_rows = 0}, "block_rows is 0; it must be from 1");
  bad_matrix({.rows = 5}, "size of 'offsets' is 3; it must be 4, one more than there are rows of blocks");
  bad_matrix({.offsets = {}}, "size of 'offsets' is 0; it must be 3");
  bad_matrix({.values = {1, 2}}, "size of 'values' is 2; it must be that of 3 blocks of 2 x 2");
  bad_matrix({.block_cols = 3}, "size of 'values' is 12; it must be that of 3 blocks of 2 x 3");
  bad_matrix({.block_cols = INT32_MAX},
             "size of 'values' is 12; it must be that of 3 blocks of 2 x 2147483647");
  bad_matrix({.offsets = {1, 2, 3}}, "offset 0 is 1; it must be 0");
  bad_matrix({.offsets = {0, 2, 1}}, "offset 2 is 1; it must be at least 2, which is offset 1");
  bad_matrix({.offsets = {0, 2, 4}}, "offset 2 is 4; it must be 3, the size of 'columns'");
  for (const std::int32_t column : {-1, 3, INT32_MIN, INT32_MAX}) {
    Matrix m;
    m.columns[1] = column;
    bad_matrix(m, "column number 1 is " + std::to_string(column) + "; it must be from 0 to 2");
  }
  const View<const std::int64_t> offsets{s.offsets.data(), 3};
  const View<const std::int32_t> columns{s.columns.data(), 3};
  const View<const float> values{s.values.data(), 12};
  const auto bad_views = [&](View<const std::int64_t> o, View<const std::int32_t> c, View<const float> v,
                             const std::string& part) {
    bad([&] { BsrMatrix(ctx, 3, 5, 2, 2, o, c, v); }, "BsrMatrix: " + part);
  };
  bad_views({nullptr, 3}, columns, values, "'offsets' is null, but its size is 3");
  bad_views(offsets, {nullptr, 3}, values, "'columns' is null, but its size is 3");
  bad_views(offsets, columns, {nullptr, 12}, "'values' is null, but its size is 12");
  bad_views({shifted(offsets.data, 4), 3}, columns, values, "'offsets' starts at 0x");
  bad([&] { BsrMatrix<float>::unchecked(-1, 5, 2, 2, s.offsets, s.columns, s.values); },
      "BsrMatrix: rows is -1");
  bad(
      [&] {
        to_bsr(ctx, CsrMatrix<float>::unchecked(0, 0, Offsets{0}, Numbers{}, std::vector<float>{}), 1, 0);
      },
      "by_blocks: block_cols is 0");
  // Calls.
  const BsrMatrix a(ctx, 3, 5, 2, 2, s.offsets, s.columns, s.values);
  const auto bad_call = [&](View<const float> x, View<float> to, const std::string& part,
                            const Options& options = {}) {
    bad([&] { spmv(ctx, a, x, to, {}, options); }, "spmv_bsr: " + part);
  };
  const View<const float> x{s.x.data(), 5};
  for (const std::int64_t n : {0, 4, 6})
    bad_call({x.data, n}, out,
             "size of 'x' is " + std::to_string(n) + "; it must be 5, the cols of the matrix");
  for (const std::int64_t n : {0, 2, 4})
    bad_call(x, {y.data(), n},
             "size of 'y' is " + std::to_string(n) + "; it must be 3, the rows of the matrix");
  bad_call({nullptr, 5}, out, "'x' is null, but its size is 5");
  bad_call(x, {nullptr, 3}, "'y' is null, but its size is 3");
  bad_call({shifted(x.data, 2), 5}, out, "'x' starts at 0x");
  for (const int distance : {0, 1, 4}) bad_call({y.data(), 5}, {y.data() + distance, 3}, "'y' overlaps 'x'");
  bad_call(x, {s.values.data() + 7, 3}, "'y' overlaps 'values'");
  bad_call(x, {reinterpret_cast<float*>(s.offsets.data()), 3}, "'y' overlaps 'offsets'");
  bad_call(x, {reinterpret_cast<float*>(s.columns.data()), 3}, "'y' overlaps 'columns'");
  bad_call({x.data, -1}, out, "size of 'x' is -1; it must be at least 0");
  bad_call(x, {y.data(), -1}, "size of 'y' is -1; it must be at least 0");
  for (const char* use : {"nothing", "custom/nothing", "spmv/custom/serial", "*"})
    bad_call(x, out, std::string("unknown implementation '") + use + "'", {.use = use});
  bad_call(x, out, "bits is portable; only reduce", {.bits = portable});
  CHECK(refused_calls - before >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
