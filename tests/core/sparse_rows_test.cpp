// Sparse matrices in host memory: what becomes of one by each conversion, and what is refused.

#include "tandem/sparse_rows.h"

#include <cmath>
#include <limits>
#include <random>

#include "tandem/spmv.h"
#include "tests/core/small_matrix.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("sparse_rows");

TEST_CASE("each conversion of a small matrix") {
  CHECK(same(transposed(kSmall), {4, 3, {0, 2, 3, 5, 6}, {0, 2, 2, 2, 2, 0}, {1, 6, 4, 3, 5, 2}}));
  CHECK(same(canonical(kSmall), {3, 4, {0, 2, 2, 5}, {0, 3, 0, 1, 2}, {1, 2, 6, 4, 8}}));
  CHECK(to_dense(kSmall) == Values{1, 0, 0, 2, 0, 0, 0, 0, 6, 4, 8, 0});
  const SparseElements all = by_elements(kSmall);
  CHECK(all.rows == 3);
  CHECK(all.cols == 4);
  CHECK(all.row_numbers == Numbers{0, 0, 2, 2, 2, 2});
  CHECK(all.column_numbers == kSmall.columns);
  CHECK(all.values == kSmall.values);
  CHECK(same(by_rows(all), kSmall));
}

TEST_CASE("dense matrices of both layouts, with gaps") {
  const double nan = std::nan("");
  const Values memory{1, 0, -7, nan, -0.0, -7, 0, 5, -7};  // 3 × 2 with leading dimension 3
  const SparseRows rows = from_dense(MatrixView<const double>{memory.data(), 3, 2, 3});
  CHECK(rows.offsets == Offsets{0, 1, 2, 3});
  CHECK(rows.columns == Numbers{0, 0, 1});
  CHECK(std::isnan(rows.values[1]));
  const SparseRows turned =
      from_dense(MatrixView<const double>{memory.data(), 2, 3, 3, Layout::column_major});
  CHECK(turned.offsets == Offsets{0, 2, 3});
  CHECK(turned.columns == Numbers{0, 1, 2});
  CHECK(turned.values[0] == 1);
  CHECK(turned.values[2] == 5);
  CHECK(same(from_dense(MatrixView<const double>{nullptr, 2, 0, 0}), {2, 0, {0, 0, 0}, {}, {}}));
  CHECK(same(from_dense(MatrixView<const double>{nullptr, 0, 2, 2}), {0, 2, {0}, {}, {}}));
}

TEST_CASE("matrices with a side of 0") {
  for (const SparseRows& a :
       {SparseRows{0, 0, {0}, {}, {}}, {0, 3, {0}, {}, {}}, {3, 0, Offsets(4), {}, {}}}) {
    CHECK(same(canonical(a), a));
    CHECK(to_dense(a).empty());
    CHECK(same(transposed(transposed(a)), a));
    CHECK(same(by_rows(by_elements(a)), a));
  }
}

TEST_CASE("laws of random matrices") {
  std::mt19937_64 random(7);
  for (int turn = 0; turn < 200; ++turn) {
    SparseElements all{static_cast<std::int64_t>(random() % 12 + 1),
                       static_cast<std::int64_t>(random() % 12 + 1),
                       {},
                       {},
                       {}};
    for (std::uint64_t k = random() % 60; k > 0; --k) {
      all.row_numbers.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(all.rows)));
      all.column_numbers.push_back(
          static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(all.cols)));
      all.values.push_back(static_cast<double>(random() % 9 + 1));
    }
    const SparseRows a = by_rows(all), once = canonical(a);
    const Values dense = to_dense(a);
    CHECK(to_dense(once) == dense);
    CHECK(same(canonical(once), once));
    CHECK(same(transposed(transposed(once)), once));
    // No value is 0, and none cancels another.
    CHECK(same(from_dense(MatrixView<const double>{dense.data(), a.rows, a.cols, a.cols}), once));
    const SparseRows turned = transposed(a);
    const Values back = to_dense(turned);
    bool right = true;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      for (std::int64_t j = 0; j < a.cols; ++j)
        right = right && back[j * a.rows + i] == dense[i * a.cols + j];
    }
    CHECK(right);
    // A product with the transposed matrix.
    Context ctx = Context::host();
    Values x(static_cast<std::size_t>(a.rows)), y(static_cast<std::size_t>(a.cols)), wanted(y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<double>(i) - 3;
      for (std::size_t j = 0; j < y.size(); ++j) wanted[j] += dense[i * y.size() + j] * x[i];
    }
    spmv(ctx, CsrMatrix(ctx, turned.rows, turned.cols, turned.offsets, turned.columns, turned.values), x, y);
    CHECK(y == wanted);
  }
}

TEST_CASE("sums of several elements are made in their order") {
  const SparseRows a{1, 2, {0, 4}, {1, 1, 0, 1}, {1e17, 1, 3, -1e17}};
  CHECK(canonical(a).values == Values{3, 0});  // a stored 0 stays
  CHECK(to_dense(a) == Values{3, 0});
}

TEST_CASE("what is no matrix is refused") {
  const auto refused = [](auto function, const std::string& name, const SparseRows& a,
                          const std::string& part) {
    CHECK(thrown<InvalidArgument>([&] { function(a); }) == name + ": " + part);
  };
  const auto each = [&](const SparseRows& a, const std::string& part) {
    refused([](const SparseRows& m) { transposed(m); }, "transposed", a, part);
    refused([](const SparseRows& m) { canonical(m); }, "canonical", a, part);
    refused([](const SparseRows& m) { by_elements(m); }, "by_elements", a, part);
    refused([](const SparseRows& m) { to_dense(m); }, "to_dense", a, part);
  };
  const auto with = [&](auto change) {
    SparseRows a = kSmall;
    change(a);
    return a;
  };
  each(with([](SparseRows& a) { a.rows = -1; }), "rows is -1; it must be from 0 to 2147483647");
  each(with([](SparseRows& a) { a.cols = INT64_MAX; }),
       "cols is 9223372036854775807; it must be from 0 to 2147483647");
  each(with([](SparseRows& a) { a.rows = 4; }), "size of 'offsets' is 4; it must be one more than rows, 4");
  each(with([](SparseRows& a) { a.offsets.clear(); }),
       "size of 'offsets' is 0; it must be one more than rows, 3");
  each(with([](SparseRows& a) { a.values.pop_back(); }),
       "size of 'values' is 5; it must be 6, the size of 'columns'");
  each(with([](SparseRows& a) { a.offsets[0] = 1; }), "offset 0 is 1; it must be 0");
  each(with([](SparseRows& a) { a.offsets[2] = 1; }),
       "offset 2 is 1; it must be at least 2, which is offset 1");
  each(with([](SparseRows& a) { a.offsets[1] = a.offsets[2] = a.offsets[3] = INT64_MAX; }),
       "offset 3 is 9223372036854775807; it must be 6, the size of 'columns'");
  each(with([](SparseRows& a) { a.offsets[3] = 5; }), "offset 3 is 5; it must be 6, the size of 'columns'");
  each(with([](SparseRows& a) { a.columns[4] = 4; }), "column number 4 is 4; it must be from 0 to 3");
  each(with([](SparseRows& a) { a.columns[0] = -1; }), "column number 0 is -1; it must be from 0 to 3");
  Values memory(6);
  const auto dense = [&](const MatrixView<const double>& a, const std::string& part) {
    CHECK(contains(thrown<InvalidArgument>([&] { from_dense(a); }), "from_dense: " + part));
  };
  dense({nullptr, 2, 3, 3}, "'dense' is null, but its size is 6");
  dense({memory.data(), 2, 3, 2}, "leading dimension of 'dense' is 2; it must be at least 3");
  dense({memory.data(), -2, 3, 3}, "rows is -2; it must be from 0 to 2147483647");
  SparseRows wide{INT32_MAX, INT32_MAX, {}, {}, {}};
  wide.rows = 1 << 20;
  wide.offsets.assign((1 << 20) + 1, 0);
  CHECK(contains(thrown<OutOfMemory>([&] { to_dense(wide); }), "a dense matrix of 1048576 x 2147483647"));
}

TEST_SUITE_END();

}  // namespace tandem
