// Sparse matrices and vectors in a context's memory: copies, transposition, other views, sums and products with dense vectors.

#include "tandem/sparse_arrays.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "tandem/sparse_rows.h"
#include "tandem/sparse_vector.h"
#include "tandem/spmv.h"
#include "tests/core/small_matrix.h"
#include "tests/support.h"

namespace tandem {
namespace {

template <class T>
bool same(const OwnedCsr<T>& a, const SparseRows& b) {
  return a.view().rows() == b.rows && a.view().cols() == b.cols && a.offsets().to_vector() == b.offsets &&
         a.columns().to_vector() == b.columns &&
         a.values().to_vector() == std::vector<T>(b.values.begin(), b.values.end());
}

SparseElements random_elements(std::mt19937_64& random, std::int64_t rows, std::int64_t cols,
                               std::int64_t count) {
  SparseElements all{rows, cols, {}, {}, {}};
  for (std::int64_t k = 0; k < count; ++k) {
    all.row_numbers.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(rows)));
    all.column_numbers.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(cols)));
    all.values.push_back(static_cast<double>(k + 1));  // tells elements at one place apart
  }
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("sparse_arrays");

TEST_CASE_TEMPLATE("transposed, and from columns and elements in any order, as on lists", T, float, double) {
  std::mt19937_64 random(3);
  Context ctx = Context::host();
  for (const auto& sizes : {std::array<std::int64_t, 3>{1, 1, 0},
                            {1, 1, 3},
                            {3, 4, 0},
                            {7, 1, 20},
                            {1, 7, 20},
                            {5, 9, 40},
                            {257, 300, 5000},
                            {70000, 3, 100000}}) {
    const std::int64_t rows = sizes[0], cols = sizes[1], count = sizes[2];
    CAPTURE(count);
    const SparseElements all = random_elements(random, rows, cols, count);
    const std::vector<T> values(all.values.begin(), all.values.end());
    const OwnedCsr<T> a =
        to_csr(ctx, CooMatrix(ctx, rows, cols, all.row_numbers, all.column_numbers, values));
    const SparseRows wanted = by_rows(all);
    CHECK(same(a, wanted));
    const OwnedCsr<T> t = transposed(ctx, a.view());
    CHECK(same(t, transposed(wanted)));
    CHECK(same(to_csr(ctx, CscMatrix<T>(a.view())), transposed(wanted)));
  }
  for (const auto& [rows, cols] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {0, 3}, {3, 0}}) {
    const CooMatrix<T> none(ctx, rows, cols, Numbers{}, Numbers{}, std::vector<T>{});
    const OwnedCsr<T> a = to_csr(ctx, none);
    CHECK(a.offsets().to_vector() == Offsets(static_cast<std::size_t>(rows) + 1));
    CHECK(transposed(ctx, a.view()).offsets().to_vector() == Offsets(static_cast<std::size_t>(cols) + 1));
  }
}

TEST_CASE("a matrix by columns") {
  Context ctx = Context::host();
  const SparseRows turned = transposed(kSmall);
  const CscMatrix a(ctx, 3, 4, turned.offsets, turned.columns, turned.values);
  CHECK(a.rows() == 3);
  CHECK(a.cols() == 4);
  CHECK(a.elements() == 6);
  CHECK(same(to_csr(ctx, a), transposed(turned)));
  Values y(4);
  spmv(ctx, a.transposed(), Values{1, 10, 100}, y);
  CHECK(y == Values{601, 400, 800, 2});
}

TEST_CASE("views with column numbers of 64 bits become matrices with numbers of 32") {
  Context ctx = Context::host();
  const Offsets wide(kSmall.columns.begin(), kSmall.columns.end());
  const CsrMatrix a(ctx, 3, 4, kSmall.offsets, wide, kSmall.values);
  CHECK(same(transposed(ctx, a), transposed(kSmall)));
  CHECK(same(to_csr(ctx, CscMatrix<double>(a)), transposed(kSmall)));
  CHECK(same(detail::in_host_memory(ctx, "test", a, {a.values(), a.elements()}, Type::f64), kSmall));
  const SparseRows turned = transposed(kSmall);
  const Offsets row_numbers(turned.columns.begin(), turned.columns.end());
  const CscMatrix by_columns(ctx, 3, 4, turned.offsets, row_numbers, turned.values);
  CHECK(same(to_csr(ctx, by_columns), transposed(turned)));
  // Elements in any order, with numbers of 32 and of 64 bits.
  const SparseElements all = by_elements(kSmall);
  const Offsets rows(all.row_numbers.begin(), all.row_numbers.end()),
      columns(all.column_numbers.begin(), all.column_numbers.end());
  CHECK(same(to_csr(ctx, CooMatrix(ctx, 3, 4, rows, columns, all.values)), kSmall));
  CHECK(same(to_csr(ctx, CooMatrix(ctx, 3, 4, all.row_numbers, columns, all.values)), kSmall));
  CHECK(same(to_csr(ctx, CooMatrix(ctx, 3, 4, rows, all.column_numbers, all.values)), kSmall));
  // What does not fit is named.
  const Offsets far{0, 1LL << 31};
  const Numbers zeros{0, 0};
  const Values two{1, 2};
  CHECK(thrown<InvalidArgument>([&] { CooMatrix(ctx, 1, 4, zeros, far, two); }) ==
        "CooMatrix: column number 1 is 2147483648; it must be from 0 to 3");
  CHECK(thrown<InvalidArgument>([&] { CooMatrix(ctx, 4, 1, far, zeros, two); }) ==
        "CooMatrix: row number 1 is 2147483648; it must be from 0 to 3");
  CHECK(thrown<InvalidArgument>([&] { to_csr(ctx, CooMatrix<double>::unchecked(4, 1, far, zeros, two)); }) ==
        "to_csr: row number 1 is 2147483648; it must be from 0 to 3");
  const Offsets ends{0, 2};
  const CsrMatrix b(ctx, 1, 1LL << 33, ends, far, two);
  CHECK(thrown<InvalidArgument>([&] { transposed(ctx, b); }) ==
        "transposed: column number 1 is 2147483648; it must be from 0 to 2147483647");
  CHECK(thrown<InvalidArgument>([&] {
          detail::in_host_memory(ctx, "test", b, {b.values(), b.elements()}, Type::f64);
        }) == "test: column number 1 is 2147483648; it must be from 0 to 2147483647");
}

TEST_CASE("an owned matrix goes where it is moved") {
  Context ctx = Context::host();
  OwnedCsr<double> a = copy_csr(ctx, 3, 4, kSmall.offsets, kSmall.columns, kSmall.values);
  OwnedCsr<double> b = std::move(a);
  CHECK(same(b, kSmall));
  CHECK(b.view().longest() == 4);
  b.values().data()[0] = 7;
  Values y(3);
  spmv(ctx, b.view(), Values{1, 1, 1, 1}, y);
  CHECK(y == Values{9, 0, 18});
}

TEST_CASE_TEMPLATE("copies of indices of any width", I, std::int32_t, std::int64_t, std::uint32_t) {
  Context ctx = Context::host();
  const std::vector<I> offsets(kSmall.offsets.begin(), kSmall.offsets.end()),
      columns(kSmall.columns.begin(), kSmall.columns.end());
  CHECK(same(copy_csr(ctx, 3, 4, offsets, columns, kSmall.values), kSmall));
  CHECK(same(copy_csr(ctx, 3, 4, kSmall.offsets, columns, std::vector<float>{1, 2, 3, 4, 5, 6}), kSmall));
  CHECK(same(copy_csr(ctx, 0, 0, std::vector<I>{0}, std::vector<I>{}, Values{}), {0, 0, {0}, {}, {}}));
}

TEST_CASE("what is no matrix is refused") {
  Context ctx = Context::host();
  const auto refused = [](auto action, const std::string& message) {
    CHECK(thrown<InvalidArgument>(action) == message);
  };
  const auto copied = [&](std::int64_t cols, const auto& offsets, const auto& columns, const Values& values) {
    return [&, cols] { copy_csr(ctx, 1, cols, offsets, columns, values); };
  };
  const Offsets two{0, 2}, wide{1, 1LL << 32};
  const Numbers narrow_two{0, 2}, negative{0, -1};
  const std::vector<std::uint32_t> beyond{0, 1U << 31};
  const Values values{1, 2};
  refused(copied(4, two, wide, values), "CsrMatrix: column number 1 is 4294967296; it must be from 0 to 3");
  refused(copied(INT64_MAX, two, wide, values),
          "CsrMatrix: column number 1 is 4294967296; it must be from 0 to 2147483647");
  refused(copied(INT64_MAX, two, beyond, values),
          "CsrMatrix: column number 1 is 2147483648; it must be from 0 to 2147483647");
  refused(copied(4, narrow_two, negative, values),
          "CsrMatrix: column number 1 is -1; it must be from 0 to 3");
  refused(copied(-1, two, wide, values), "CsrMatrix: cols is -1; it must be at least 0");
  refused(copied(4, two, narrow_two, Values{}),
          "CsrMatrix: size of 'values' is 0; it must be 2, the size of 'columns'");
  refused(copied(4, Offsets{0, 1, 2}, narrow_two, values),
          "CsrMatrix: size of 'offsets' is 3; it must be one more than rows, 1");
  refused(copied(4, Numbers{0, 1}, narrow_two, values),
          "CsrMatrix: offset 1 is 1; it must be 2, the size of 'columns'");

  const auto coo = [&](std::int64_t rows, std::int64_t cols, const Numbers& row_numbers,
                       const Numbers& column_numbers) {
    return [&, rows, cols] { CooMatrix(ctx, rows, cols, row_numbers, column_numbers, values); };
  };
  const Numbers zeros{0, 0}, three{0, 3}, one{0};
  refused(coo(-1, 3, zeros, zeros), "CooMatrix: rows is -1; it must be from 0 to 2147483647");
  refused(coo(3, 1LL << 31, zeros, zeros), "CooMatrix: cols is 2147483648; it must be from 0 to 2147483647");
  refused(coo(3, 4, three, zeros), "CooMatrix: row number 1 is 3; it must be from 0 to 2");
  refused(coo(4, 3, zeros, three), "CooMatrix: column number 1 is 3; it must be from 0 to 2");
  refused(coo(3, 3, one, zeros), "CooMatrix: size of 'row_numbers' is 1; it must be 2, the size of 'values'");
  refused(coo(3, 3, zeros, one),
          "CooMatrix: size of 'column_numbers' is 1; it must be 2, the size of 'values'");
  const View<const std::int32_t> null{nullptr, 2};
  CHECK(contains(thrown<InvalidArgument>([&] { CooMatrix(ctx, 3, 3, null, zeros, values); }),
                 "CooMatrix: 'row_numbers' is null"));
  CHECK(contains(
      thrown<InvalidArgument>([&] { to_csr(ctx, CooMatrix<double>::unchecked(3, 3, zeros, null, values)); }),
      "to_csr: 'column_numbers' is null"));
  CHECK(contains(thrown<InvalidArgument>(
                     [&] { transposed(ctx, CsrMatrix<double>::unchecked(1, 3, two, null, values)); }),
                 "transposed: 'columns' is null"));
}

TEST_CASE("sparse vectors with numbers of 64 bits") {
  Context ctx = Context::host();
  const Offsets numbers{4, 0, 3};
  const Values values{2, 3, 5};
  const SparseVectorView x(ctx, 6, numbers, values);
  CHECK(x.numbers().as<std::int64_t>() == numbers.data());
  Values y{1, 10, 100, 1000, 10000, 100000}, result(1);
  dot(ctx, x, y, result);
  CHECK(result[0] == 25003);
  axpy(ctx, 2, x, y);
  CHECK(y == Values{7, 10, 100, 1010, 10004, 100000});
  const SparseVectorView far(ctx, 1LL << 33, Offsets{5, (1LL << 33) - 1, 1LL << 32}, values);
  CHECK(far.size() == 1LL << 33);
  const auto refused = [&](const Offsets& bad, const std::string& message) {
    CHECK(thrown<InvalidArgument>([&] { SparseVectorView(ctx, 6, bad, values); }) ==
          "SparseVectorView: element number " + message);
  };
  refused({4, 1LL << 32, 3}, "1 is 4294967296; it must be from 0 to 5");
  refused({4, -1, 3}, "1 is -1; it must be from 0 to 5");
  refused({4, 0, 4}, "2 is 4, and so is number 0; they must be distinct");
}

TEST_CASE_TEMPLATE("sparse vectors: dot and axpy", T, float, double) {
  Context ctx = Context::host();
  const Numbers numbers{4, 0, 3};
  const std::vector<T> values{2, 3, 5};
  const SparseVectorView x(ctx, 6, numbers, values);
  CHECK(x.size() == 6);
  CHECK(x.elements() == 3);
  std::vector<T> y{1, 10, 100, 1000, 10000, 100000}, result{-7};
  dot(ctx, x, y, result);
  CHECK(result[0] == 25003);
  axpy(ctx, 2, x, y);
  CHECK(y == std::vector<T>{7, 10, 100, 1010, 10004, 100000});
  axpy(ctx, 0, x, y);
  CHECK(y == std::vector<T>{7, 10, 100, 1010, 10004, 100000});
  const SparseVectorView none(ctx, 6, Numbers{}, std::vector<T>{});
  dot(ctx, none, y, result);
  CHECK(result[0] == 0);
  axpy(ctx, 2, none, y);
  CHECK(y[0] == 7);
  // What is not stored is neither read nor written, nor the result read; a product has the bits of one with the row.
  const T nan = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> result_of_two{nan, 1}, holes{T(0.1), nan, nan, T(0.7), T(-0.3), nan}, row{nan};
  dot(ctx, x, holes, View<T>{result_of_two.data(), 1});
  spmv(ctx, x.row(), holes, row);
  CHECK(result_of_two == std::vector<T>{row[0], 1});
  CHECK(row[0] == doctest::Approx(3.2));
  const std::size_t allocations = ctx.allocations();
  axpy(ctx, 1, x, holes);
  CHECK(ctx.allocations() == allocations);
  CHECK(holes[0] == doctest::Approx(3.1));
  for (const std::size_t i : {1u, 2u, 5u}) CHECK(std::isnan(holes[i]));
  axpy(ctx, 0, SparseVectorView(ctx, 6, numbers, std::vector<T>(3, nan)), y);
  CHECK(y == std::vector<T>{7, 10, 100, 1010, 10004, 100000});
  // As many as threads share.
  constexpr std::int32_t kMany = 100000;
  Numbers many;
  for (std::int32_t k = 0; k < kMany; ++k) many.push_back((k * 7 + 3) % kMany);
  std::vector<T> ones(kMany, 1), sums(kMany, 2);
  const SparseVectorView all(ctx, kMany, many, ones);
  axpy(ctx, 3, all, sums);
  CHECK(sums == std::vector<T>(kMany, 5));
}

TEST_CASE("what is no sparse vector is refused, and what does not go with one") {
  Context ctx = Context::host();
  const auto refused = [](auto action, const std::string& message) {
    CHECK(thrown<InvalidArgument>(action) == message);
  };
  const auto made = [&](std::int64_t size, const Numbers& numbers) {
    return [&, size] { SparseVectorView(ctx, size, numbers, Values{1, 2, 3}); };
  };
  const Numbers right{0, 3, 1}, beyond{0, 4, 1}, negative{0, -1, 1}, twice{2, 0, 2}, two{0, 1};
  refused(made(-1, right), "SparseVectorView: size is -1; it must be at least 0");
  refused(made(4, beyond), "SparseVectorView: element number 1 is 4; it must be from 0 to 3");
  refused(made(4, negative), "SparseVectorView: element number 1 is -1; it must be from 0 to 3");
  refused(made(4, twice),
          "SparseVectorView: element number 2 is 2, and so is number 0; they must be distinct");
  refused(made(4, two), "SparseVectorView: size of 'values' is 3; it must be 2, the size of 'numbers'");

  Values values{1, 2, 3}, y(4), short_y(3), result(1), results(2);
  const SparseVectorView x(ctx, 4, right, values);
  refused([&] { axpy(ctx, 1, x, short_y); }, "axpy: size of 'y' is 3; it must be 4, that of 'x'");
  refused([&] { dot(ctx, x, short_y, result); }, "dot: size of 'y' is 3; it must be 4, that of 'x'");
  refused([&] { dot(ctx, x, y, results); }, "dot: size of 'result' is 2; it must be 1");
  Values joint(8);
  const View<double> overlapping{joint.data() + 2, 4};
  const SparseVectorView within(ctx, 4, right, View<double>{joint.data(), 3});
  CHECK(contains(thrown<InvalidArgument>([&] { axpy(ctx, 1, within, overlapping); }), "axpy: "));
  CHECK(joint == Values(8));
  CHECK(contains(thrown<InvalidArgument>([&] {
                   axpy(ctx, 1, x, View<double>{nullptr, 4});
                 }),
                 "axpy: 'y' is null"));
}

TEST_SUITE_END();

}  // namespace tandem
