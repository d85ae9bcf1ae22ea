// spmm by its public function: right products of both types, in every layout; odd but legal ones; and bad ones, each of which
// throws the right exception, names operation, argument and value, and leaves outputs untouched.

#include "tandem/spmm.h"

#include <cmath>
#include <limits>

#include "lib/harness/sparse_matrices.h"
#include "lib/harness/test_data.h"
#include "tests/array_calls.h"
#include "tests/matrix_calls.h"

namespace tandem {
namespace {

using Offsets = std::vector<std::int64_t>;
using Columns = std::vector<std::int32_t>;
using WideColumns = std::vector<std::int64_t>;

/// 4 × 5; row 1 is empty, row 3 has two elements in one column, and elements stand in no order. B: 5 × 2.
struct Small {
  Offsets offsets{0, 2, 2, 4, 7};
  Columns columns{4, 0, 1, 2, 3, 0, 3};
  std::vector<float> values{1, 2, 3, 4, 5, 6, 7}, b{1, -1, 10, 0, 100, 1, 1000, 0, 10000, 2};
  /// A·B.
  std::vector<float> product{10002, 0, 0, 0, 430, 4, 12006, -6};
};

/// Element (i, j) by the definition, given those of C before.
template <class T>
T defined(const CsrArrays& a, const std::vector<T>& values, const MatrixView<T>& b, std::int64_t i,
          std::int64_t j, T before, SpmmFactors<T> factors) {
  T sum = 0;
  for (std::int64_t k = a.offsets[static_cast<std::size_t>(i)];
       k < a.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
    const auto at_k = static_cast<std::size_t>(k);
    sum += values[at_k] * at(b, a.columns[at_k], j);
  }
  return factors.alpha * sum + factors.beta * before;
}

}  // namespace

TEST_SUITE_BEGIN("spmm");

TEST_CASE_TEMPLATE("all paths, matrices, widths, layouts and factors", T, float, double) {
  Context ctx = Context::host();
  constexpr std::int64_t kRows = 150;
  int calls = 0, layouts = 0;
  for (const Family family : {Family::stencil, Family::rmat, Family::dense_row, Family::wide, Family::tall,
                              Family::mostly_empty, Family::empty_ends, Family::empty}) {
    CAPTURE(static_cast<int>(family));
    const CsrArrays arrays = matrix_of(family, kRows, 9);
    const std::vector<T> values = small_numbers<T>(arrays.columns.size());
    const CsrMatrix a(ctx, kRows, arrays.cols, arrays.offsets, arrays.columns, values);
    for (const std::int64_t width : {1, 2, 3, 7, 8, 31, 32, 33, 64, 128}) {
      const Layout lb = kLayouts[layouts / 3 % 2], lc = kLayouts[layouts % 2];
      const std::int64_t b_gap = layouts % 5, c_gap = layouts % 4;
      const SpmmFactors<T> factors[] = {{}, {2, 0}, {1, 1}, {T(-0.5), 3}, {0, 2}, {0, 0}};
      const SpmmFactors<T>& with = factors[layouts++ % 6];
      CAPTURE(width);
      const std::int64_t b_line = (lb == Layout::row_major ? width : arrays.cols) + b_gap,
                         c_line = (lc == Layout::row_major ? width : kRows) + c_gap;
      std::vector<T> in = small_numbers<T>(static_cast<std::size_t>(std::max(arrays.cols, width) * b_line));
      const std::vector<T> before =
          small_numbers<T>(static_cast<std::size_t>(std::max(kRows, width) * c_line));
      const MatrixView<T> b = matrix(in, arrays.cols, width, lb, b_line);
      for (const Implementation* i : host_rows("spmm")) {
        CAPTURE(i->name);
        std::vector<T> out = before, old = before;
        const MatrixView<T> c = matrix(out, kRows, width, lc, c_line),
                            was = matrix(old, kRows, width, lc, c_line);
        try {
          spmm(ctx, a, b, c, with, {.use = i->name});
        } catch (const Unavailable&) {
          CHECK((lb != Layout::row_major || lc != Layout::row_major));
          continue;
        }
        CHECK(ctx.last().implementation == i->name);
        bool right = true;
        for (std::int64_t r = 0; r < kRows; ++r) {
          for (std::int64_t j = 0; j < width; ++j) {
            right = right && at(c, r, j) == defined(arrays, values, b, r, j, at(was, r, j), with);
            at(c, r, j) = at(was, r, j);
          }
        }
        CHECK(right);
        CHECK(out == before);  // gaps
        ++calls;
      }
    }
  }
  CHECK(calls >= 8 * 10 * 3);
}

TEST_CASE_TEMPLATE("column numbers of 64 bits, borrowed", T, float, double) {
  Context ctx = Context::host();
  constexpr std::int64_t kRows = 150;
  for (const Family family : {Family::rmat, Family::dense_row, Family::wide, Family::empty}) {
    CAPTURE(kFamilies[static_cast<int>(family)]);
    const CsrArrays arrays = matrix_of(family, kRows, 9);
    const WideColumns wide(arrays.columns.begin(), arrays.columns.end());
    const std::vector<T> values = small_numbers<T>(wide.size());
    const CsrMatrix a(ctx, kRows, arrays.cols, arrays.offsets, wide, values),
        narrow(ctx, kRows, arrays.cols, arrays.offsets, arrays.columns, values);
    for (const std::int64_t width : {1, 7, 33, 130}) {
      CAPTURE(width);
      std::vector<T> in = small_numbers<T>(static_cast<std::size_t>(arrays.cols * width));
      const std::vector<T> before = small_numbers<T>(static_cast<std::size_t>(kRows * width));
      const MatrixView<T> b = matrix(in, arrays.cols, width);
      for (const Implementation* i : host_rows("spmm")) {
        CAPTURE(i->name);
        std::vector<T> of_wide = before, of_narrow = before;
        spmm(ctx, a, b, matrix(of_wide, kRows, width), {2, 1}, {.use = i->name});
        spmm(ctx, narrow, b, matrix(of_narrow, kRows, width), {2, 1}, {.use = i->name});
        CHECK(of_wide == of_narrow);
      }
    }
  }
  // C among the column numbers.
  WideColumns columns{0, 1};
  const std::vector<T> ones(2, 1);
  const Offsets ends{0, 2};
  const CsrMatrix a(ctx, 1, 2, ends, columns, ones);
  std::vector<T> in(2, 1);
  const MatrixView<T> inside{reinterpret_cast<T*>(columns.data() + 1), 1, 1, 1};
  CHECK(contains(thrown<InvalidArgument>([&] { spmm(ctx, a, matrix(in, 2, 1), inside); }),
                 "spmm: 'c' overlaps 'columns'"));
}

TEST_CASE("a call of a known size allocates nothing") {
  Context ctx = Context::host();
  const CsrArrays arrays = matrix_of(Family::rmat, 50'000, 9);
  const Array<float> values(ctx, small_numbers<float>(arrays.columns.size())),
      b(ctx, small_numbers<float>(50'000 * 5));
  const CsrMatrix a(ctx, 50'000, 50'000, arrays.offsets, arrays.columns, values);
  Array<float> c(ctx, 50'000 * 5);
  for (const char* use : {"", "threads", "simd"}) {
    const auto call = [&] { spmm(ctx, a, matrix(b, 50'000, 5), matrix(c, 50'000, 5), {}, {.use = use}); };
    call();
    const std::size_t before = ctx.allocations();
    call(), call();
    CHECK(ctx.allocations() == before);
  }
}

TEST_CASE("sums of a row across pieces are whole") {
  Context ctx = Context::host();
  // One row of 100,000 elements, in whose middle shares of threads meet.
  const CsrArrays arrays = matrix_of(Family::dense_row, 100'000, 1);
  const std::vector<double> values = small_numbers<double>(arrays.columns.size()),
                            b = small_numbers<double>(100'000 * 3);
  std::vector<double> one(100'000 * 3), other(100'000 * 3);
  const CsrMatrix a(ctx, 100'000, 100'000, arrays.offsets, arrays.columns, values);
  spmm(ctx, a, matrix(b, 100'000, 3), matrix(one, 100'000, 3), {}, {.use = "serial"});
  for (const char* use : {"threads", "simd"}) {
    spmm(ctx, a, matrix(b, 100'000, 3), matrix(other, 100'000, 3), {}, {.use = use});
    CHECK(one == other);
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  const Small s;
  const CsrMatrix a(ctx, 4, 5, s.offsets, s.columns, s.values);
  std::vector<float> c(8);
  spmm(ctx, a, matrix(s.b, 5, 2), matrix(c, 4, 2));
  count(c == s.product);
  c.assign(8, 1);
  spmm(ctx, a, matrix(s.b, 5, 2), matrix(c, 4, 2), {.alpha = 2, .beta = -1});
  count(c == std::vector<float>{20003, -1, -1, -1, 859, 7, 24011, -13});
  // Nothing to do: no columns, no rows. Nothing to add up: no columns of A.
  const View<const float> none{nullptr, 0};
  const View<const std::int32_t> no_columns{nullptr, 0};
  c.assign(8, 3);
  spmm(ctx, a, MatrixView<const float>{nullptr, 5, 0, 0}, MatrixView<float>{nullptr, 4, 0, 0});
  spmm(ctx, a, matrix(s.b, 5, 0), matrix(c, 4, 0, Layout::row_major, 2));
  spmm(ctx, CsrMatrix<float>(ctx, 0, 5, Offsets{0}, no_columns, none), matrix(s.b, 5, 2),
       MatrixView<float>{nullptr, 0, 2, 2});
  spmm(ctx, CsrMatrix<float>(ctx, 0, 0, Offsets{0}, no_columns, none), MatrixView<float>{nullptr, 0, 2, 2},
       MatrixView<float>{nullptr, 0, 2, 2});
  count(c == std::vector<float>(8, 3));
  spmm(ctx, CsrMatrix<float>(ctx, 4, 0, Offsets(5, 0), no_columns, none), MatrixView<float>{nullptr, 0, 2, 2},
       matrix(c, 4, 2), {.beta = -1});
  count(c == std::vector<float>(8, -3));
  // What must not be read does not matter: C where β is 0, A and B where α is 0.
  const float nan = std::nanf("");
  c.assign(8, nan);
  spmm(ctx, a, matrix(s.b, 5, 2), matrix(c, 4, 2));
  count(c == s.product);
  const std::vector<float> nans(10, nan);
  spmm(ctx, CsrMatrix(ctx, 4, 5, s.offsets, s.columns, View<const float>{nans.data(), 7}), matrix(nans, 5, 2),
       matrix(c, 4, 2), {.alpha = 0, .beta = 0.5});
  count(c[0] == 5001 && c[7] == -3);
  // A NaN stays in its row and its column.
  std::vector<float> b = s.b;
  b[2 * 2 + 1] = nan;
  spmm(ctx, a, matrix(b, 5, 2), matrix(c, 4, 2));
  count(c[4] == 430 && std::isnan(c[5]) && c[6] == 12006 && c[7] == -6);
  // One column is spmv's product, whatever it is called: 5 × 1 in rows and in columns.
  std::vector<float> y(4);
  spmm(ctx, a, matrix(s.b, 5, 1, Layout::row_major, 2), matrix(y, 4, 1));
  count(y == std::vector<float>{10002, 0, 430, 12006});
  spmm(ctx, a, matrix(s.b, 5, 1, Layout::column_major), matrix(y, 4, 1, Layout::column_major));
  count(y == std::vector<float>{102, 0, 37, 6});
  // B and C side by side in one matrix of leading dimension 4.
  std::vector<float> both(20, 1);
  spmm(ctx, a, MatrixView<const float>{both.data(), 5, 2, 4}, MatrixView<float>{both.data() + 2, 4, 2, 4});
  count(both == std::vector<float>{1, 1, 3, 3, 1, 1, 0, 0, 1, 1, 7, 7, 1, 1, 18, 18, 1, 1, 1, 1});
  CHECK(count.count >= 10);
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  Small s;
  std::vector<float> z(64, -7);
  using M = MatrixView<float>;
  const CsrMatrix a(ctx, 4, 5, s.offsets, s.columns, s.values);
  const M b = matrix(s.b, 5, 2), c{z.data(), 4, 2, 2};
  const int before = refused_calls;
  const auto bad = [&](const M& with_b, const M& with_c, const std::vector<std::string>& parts,
                       const Options& options = {}) {
    expect_refused<InvalidArgument>(
        z, [&] { spmm(ctx, a, with_b, with_c, {}, options); }, parts);
  };
  for_each_bad_view<2>("spmm", {b, c}, {"b", "c"},
                       [&](const auto& m, const auto& parts) { bad(m[0], m[1], parts); });
  for (const Layout layout : kLayouts) {
    bad({s.b.data(), 4, 2, 5, layout}, c,
        {"spmm: rows of 'b' is 4; it must be 5, the cols of the sparse matrix"});
    bad(b, {z.data(), 5, 2, 5, layout},
        {"spmm: rows of 'c' is 5; it must be 4, the rows of the sparse matrix"});
    bad(b, {z.data(), 4, 3, 5, layout}, {"spmm: cols of 'c' is 3; it must be 2, the cols of 'b'"});
  }
  for (const int distance : {0, 1, 7}) {
    bad({z.data(), 5, 2, 2}, {z.data() + distance, 4, 2, 2},
        {"spmm: 'c' overlaps 'b' by starting " + std::to_string(4 * distance)});
  }
  for (const char* use : {"nothing", "custom/nothing", "spmv/custom/serial"}) {
    bad(b, c, {std::string("spmm: unknown implementation '") + use + "'", "known: custom/serial"},
        {.use = use});
  }
  bad(b, c, {"bits is portable; only reduce"}, {.bits = portable});
  // Paths that want rows say so.
  expect_refused<Unavailable>(
      z,
      [&] {
        spmm(ctx, a, M{s.b.data(), 5, 2, 5, Layout::column_major}, c, {}, {.use = "simd"});
      },
      {"spmm/custom/simd: B must be row-major"});
  // C among the arrays of A.
  const auto overlaps = [&](auto& watched, const std::string& name) {
    ++refused_calls;
    const auto copy = watched;
    const M to{reinterpret_cast<float*>(watched.data()), 4, 2, 2};
    CHECK(
        contains(thrown<InvalidArgument>([&] { spmm(ctx, a, b, to); }), "spmm: 'c' overlaps '" + name + "'"));
    CHECK(watched == copy);
  };
  overlaps(s.offsets, "offsets"), overlaps(s.columns, "columns"), overlaps(s.values, "values");
  // The arrays of a matrix that nobody looked at.
  expect_refused<InvalidArgument>(
      z,
      [&] {
        spmm(ctx,
             CsrMatrix<float>::unchecked(4, 5, View<const std::int64_t>{nullptr, 5}, s.columns, s.values), b,
             c);
      },
      {"spmm: 'offsets' is null, but its size is 5"});
  const int bad_calls = refused_calls - before;
  MESSAGE(bad_calls, " bad calls");
  CHECK(bad_calls >= 50);
}

TEST_SUITE_END();

}  // namespace tandem
