// Laws that hold for any input: rapidcheck looks for one that breaks them and shrinks it.

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

using Values64 = std::vector<std::int64_t>;  // sums wrap, so every law is exact

Values64 inclusive(const Values64& x, std::int64_t init = 0) {
  Context ctx = Context::host();
  Values64 y(x.size());
  inclusive_scan(ctx, x, y, plus, init);
  return y;
}
Values64 exclusive(const Values64& x, std::int64_t init = 0) {
  Context ctx = Context::host();
  Values64 y(x.size());
  exclusive_scan(ctx, x, y, plus, init);
  return y;
}
template <class Op>
std::int64_t total(const Values64& x, Op op) {
  Context ctx = Context::host();
  return reduce(ctx, x, op);
}

}  // namespace

TEST_SUITE_BEGIN("property");

TEST_CASE("the last of a scan is the reduction") {
  CHECK(
      rc::check([](const Values64& x) { RC_ASSERT((x.empty() || inclusive(x).back() == total(x, plus))); }));
}

TEST_CASE("an exclusive scan is the inclusive one shifted") {
  CHECK(rc::check([](const Values64& x, std::int64_t init) {
    Values64 shifted = inclusive(x, init);
    if (!x.empty()) {
      shifted.insert(shifted.begin(), init);
      shifted.pop_back();
    }
    RC_ASSERT(exclusive(x, init) == shifted);
  }));
}

TEST_CASE("a scan of a concatenation goes on where the first part ended") {
  CHECK(rc::check([](const Values64& a, const Values64& b) {
    Values64 both = a;
    both.insert(both.end(), b.begin(), b.end());
    Values64 parts = inclusive(a);
    const Values64 rest = inclusive(b, total(a, plus));
    parts.insert(parts.end(), rest.begin(), rest.end());
    RC_ASSERT(inclusive(both) == parts);
  }));
}

TEST_CASE("minimum and maximum are among the elements and bound them") {
  CHECK(rc::check([](const Values64& x) {
    RC_PRE(!x.empty());
    RC_ASSERT(total(x, minimum) == *std::min_element(x.begin(), x.end()));
    RC_ASSERT(total(x, maximum) == *std::max_element(x.begin(), x.end()));
  }));
}

TEST_CASE("a reduction of a concatenation is that of its parts' results") {
  CHECK(rc::check([](const Values64& a, const Values64& b) {
    Values64 both = a;
    both.insert(both.end(), b.begin(), b.end());
    const auto law = [&](auto op) { return total(both, op) == total({total(a, op), total(b, op)}, op); };
    RC_ASSERT((law(plus) && law(multiplies) && law(minimum) && law(maximum) && law(logical_and) &&
               law(logical_or)));
  }));
}

TEST_CASE("transforms compose: one after the other is the composed function") {
  CHECK(rc::check([](const Values64& x, const Values64& y, std::int64_t alpha) {
    Context ctx = Context::host();
    const std::size_t n = std::min(x.size(), y.size());
    const std::span a(x.data(), n), b(y.data(), n);
    Values64 product(n), steps(n), once(n), zero(n, 0);
    // alpha·x + y is the sum of alpha·x and y, and the negation of (−alpha)·x + (−y).
    transform(ctx, axpy(alpha), a, zero, product);
    transform(ctx, plus, product, b, steps);
    transform(ctx, axpy(alpha), a, b, once);
    RC_ASSERT(steps == once);
    transform(ctx, negate, b, steps);
    transform(ctx, axpy(detail::wrap_multiplies<std::int64_t>(alpha, -1)), a, steps, steps);
    transform(ctx, negate, steps, steps);
    RC_ASSERT(steps == once);
  }));
}

TEST_CASE("dot2 is multiply_add over the square, and a square is what it says") {
  CHECK(rc::check([](const Values64& x) {
    Context ctx = Context::host();
    Values64 squares(x.size()), twice(x.size()), once(x.size());
    transform(ctx, square, x, squares);
    transform(ctx, multiply_add, x, x, squares, twice);
    transform(ctx, dot2, zip(x, x, x, x), once);
    RC_ASSERT(twice == once);
  }));
}

TEST_CASE("a transform of a concatenation is the concatenation of the transforms") {
  CHECK(rc::check([](const Values64& a, const Values64& b) {
    Context ctx = Context::host();
    Values64 both = a;
    both.insert(both.end(), b.begin(), b.end());
    transform(ctx, square, both, both);
    Values64 parts(a.size() + b.size());
    transform(ctx, square, a, View<std::int64_t>{parts.data(), static_cast<std::int64_t>(a.size())});
    transform(ctx, square, b,
              View<std::int64_t>{parts.data() + a.size(), static_cast<std::int64_t>(b.size())});
    RC_ASSERT(both == parts);
  }));
}

TEST_CASE("a sort is sorted, of the same keys, and what it sorts again it leaves alone") {
  CHECK(rc::check([](const Values64& x) {
    Context ctx = Context::host();
    Values64 y = x;
    sort(ctx, y);
    RC_ASSERT(std::ranges::is_sorted(y));
    RC_ASSERT(std::ranges::is_permutation(y, x));
    Values64 again = y;
    sort(ctx, again);
    RC_ASSERT(again == y);
    // Descending is the reverse, where equal keys cannot be told apart.
    sort(ctx, again, {.descending = true});
    std::ranges::reverse(again);
    RC_ASSERT(again == y);
  }));
}

TEST_CASE("keys sorted with their places name the keys at these places") {
  CHECK(rc::check([](const std::vector<std::int32_t>& few) {
    Context ctx = Context::host();
    std::vector<std::int32_t> x = few;
    for (std::int32_t& key : x) key %= 5;  // many are equal
    Values64 places(x.size());
    std::iota(places.begin(), places.end(), 0);
    std::vector<std::int32_t> y(x.size());
    sort_by_key_into(ctx, x, places, y, places);
    for (std::size_t i = 0; i < y.size(); ++i) {
      RC_ASSERT(x[static_cast<std::size_t>(places[i])] == y[i]);
      RC_ASSERT((i == 0 || y[i - 1] < y[i] || places[i - 1] < places[i]));
    }
  }));
}

TEST_CASE(
    "a partition is what is selected, then the rest; a selection of a concatenation that of its parts") {
  CHECK(rc::check([](const Values64& a, const Values64& b, std::int64_t limit) {
    Context ctx = Context::host();
    const auto selected = [&](const Values64& x, auto predicate) {
      Values64 y(x.size());
      y.resize(static_cast<std::size_t>(select(ctx, x, predicate, y)));
      return y;
    };
    const auto joined = [](Values64 x, const Values64& y) {
      x.insert(x.end(), y.begin(), y.end());
      return x;
    };
    const Values64 both = joined(a, b);
    RC_ASSERT(selected(both, less{limit}) == joined(selected(a, less{limit}), selected(b, less{limit})));
    Values64 parted(both.size());
    partition(ctx, both, less{limit}, parted);
    RC_ASSERT(parted == joined(selected(both, less{limit}), selected(both, greater_equal{limit})));
  }));
}

TEST_CASE("what is unique has no equal neighbours, and is unique") {
  CHECK(rc::check([](const Values64& wide) {
    Context ctx = Context::host();
    Values64 x = wide;
    for (std::int64_t& value : x) value %= 3;
    Values64 y(x.size());
    y.resize(static_cast<std::size_t>(unique(ctx, x, y)));
    RC_ASSERT(std::ranges::adjacent_find(y) == y.end());
    Values64 again(y.size());
    RC_ASSERT((unique(ctx, y, again) == static_cast<std::int64_t>(y.size()) && again == y));
  }));
}

TEST_CASE("a histogram of a concatenation is the sum of its parts', and finer bins add up to coarser ones") {
  CHECK(rc::check([](const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
    Context ctx = Context::host();
    const auto counted = [&](const std::vector<std::int32_t>& x, std::size_t bins) {
      Values64 counts(bins);
      histogram(ctx, x, -1000, 1000, counts);
      return counts;
    };
    std::vector<std::int32_t> both = a;
    both.insert(both.end(), b.begin(), b.end());
    const Values64 of_a = counted(a, 10), of_b = counted(b, 10), of_both = counted(both, 10),
                   fine = counted(both, 100);
    for (std::size_t bin = 0; bin < of_both.size(); ++bin) {
      RC_ASSERT(of_both[bin] == of_a[bin] + of_b[bin]);
      const auto from = fine.begin() + static_cast<std::ptrdiff_t>(10 * bin);
      RC_ASSERT(of_both[bin] == std::accumulate(from, from + 10, std::int64_t{0}));
    }
  }));
}

TEST_CASE_TEMPLATE("segments that cover an array reduce to what it reduces to", T, std::int64_t,
                   std::uint32_t, std::int8_t) {
  CHECK(rc::check([](const std::vector<T>& x, const std::vector<std::uint16_t>& cuts) {
    Context ctx = Context::host();
    Values64 offsets{0, static_cast<std::int64_t>(x.size())};
    for (const std::uint16_t cut : cuts) offsets.push_back(cut % (static_cast<std::int64_t>(x.size()) + 1));
    std::ranges::sort(offsets);
    std::vector<accumulator_t<T>> parts(offsets.size() - 1);
    const auto law = [&](auto op) {
      segmented_reduce(ctx, x, Segments(ctx, offsets), parts, op);
      return reduce(ctx, parts, op) == reduce(ctx, x, op);
    };
    RC_ASSERT((law(plus) && law(minimum) && law(maximum)));
  }));
}

TEST_CASE("a transform of a product, back, is the cyclic convolution") {
  CHECK(rc::check([](std::vector<std::pair<std::int8_t, std::int8_t>> pairs) {
    Context ctx = Context::host();
    const std::size_t n = pairs.size();
    std::vector<std::complex<double>> x(n), y(n), product(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = pairs[i].first, y[i] = pairs[i].second;
    fft(ctx, x, x), fft(ctx, y, y);
    for (std::size_t i = 0; i < n; ++i) product[i] = x[i] * y[i];
    inverse_fft(ctx, product, product);
    for (std::size_t i = 0; i < n; ++i) {
      std::int64_t sum = 0;  // exact, and so far below 2^53 that errors are far below a half
      for (std::size_t j = 0; j < n; ++j) sum += pairs[j].first * pairs[(i + n - j) % n].second;
      RC_ASSERT(std::llround(product[i].real()) == sum);
    }
  }));
}

TEST_CASE(
    "convolve by a unit impulse is the identity, by one further on a shift, and it commutes with shifts") {
  CHECK(rc::check([](const std::vector<std::pair<std::int8_t, std::int8_t>>& pairs, std::uint8_t by) {
    Context ctx = Context::host();
    using Numbers = std::vector<std::complex<double>>;
    const std::size_t n = pairs.size();
    if (n == 0) return;
    Numbers x(n), filter(n), impulse(n), result(n), after(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = pairs[i].first, filter[i] = {1.0 * pairs[i].second, 1};
    const auto shifted = [&](Numbers numbers) {
      std::rotate(numbers.begin(), numbers.end() - static_cast<std::ptrdiff_t>(by % n), numbers.end());
      return numbers;
    };
    const auto same = [&](const Numbers& a, const Numbers& b, double size) {
      return std::ranges::equal(a, b, [&](auto u, auto v) { return std::abs(u - v) <= 1e-9 * (1 + size); });
    };
    convolve(ctx, x, Numbers(n, 1), result);
    RC_ASSERT(same(result, x, 0));
    impulse[by % n] = 1;
    fft(ctx, impulse, impulse);
    convolve(ctx, x, impulse, result);
    RC_ASSERT(same(result, shifted(x), 0));
    convolve(ctx, x, filter, result);
    convolve(ctx, shifted(x), filter, after);
    RC_ASSERT(same(after, shifted(result), 1e3));
  }));
}

TEST_CASE("real numbers have the transform of complex ones, and come back") {
  CHECK(rc::check([](const std::vector<std::int8_t>& numbers) {
    Context ctx = Context::host();
    const std::size_t n = numbers.size(), size = n == 0 ? 0 : n / 2 + 1;
    const std::vector<double> x(numbers.begin(), numbers.end());
    std::vector<std::complex<double>> all(x.begin(), x.end()), half(size);
    fft(ctx, all, all);
    real_fft(ctx, x, half);
    for (std::size_t k = 0; k < size; ++k) RC_ASSERT(std::abs(half[k] - all[k]) < 1e-9);
    std::vector<double> back(n);
    inverse_real_fft(ctx, half, back);
    for (std::size_t i = 0; i < n; ++i) RC_ASSERT(std::lround(back[i]) == numbers[i]);
  }));
}

TEST_CASE("a transform of grids, back, undoes it, whatever the layout between") {
  CHECK(rc::check([](const std::vector<std::int8_t>& numbers, std::uint8_t rows_seed, bool turned) {
    Context ctx = Context::host();
    const auto rows = static_cast<std::int64_t>(1 + rows_seed % 9);
    const std::int64_t cols = static_cast<std::int64_t>(numbers.size()) / rows;
    std::vector<std::complex<double>> x(numbers.begin(), numbers.begin() + rows * cols);
    std::vector<std::complex<double>> spectrum(x.size()), back(x.size());
    const PerAxis strides = turned ? PerAxis{1, rows} : PerAxis{std::max<std::int64_t>(cols, 1), 1};
    fft_nd(ctx, x, spectrum, {.extents = {rows, cols}, .out_strides = strides});
    inverse_fft_nd(ctx, spectrum, back, {.extents = {rows, cols}, .in_strides = strides});
    for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT(std::abs(back[i] - x[i]) < 1e-9);
  }));
}

TEST_CASE("a transform of real grids, back, undoes it, whatever the layout between") {
  CHECK(rc::check([](const std::vector<std::int8_t>& numbers, std::uint8_t rows_seed, bool turned) {
    Context ctx = Context::host();
    const auto rows = static_cast<std::int64_t>(1 + rows_seed % 9);
    const std::int64_t cols = static_cast<std::int64_t>(numbers.size()) / rows,
                       stored = cols == 0 ? 0 : cols / 2 + 1;
    const std::vector<double> x(numbers.begin(), numbers.begin() + rows * cols);
    std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(rows * stored));
    std::vector<double> back(x.size());
    const PerAxis strides = turned ? PerAxis{1, rows} : PerAxis{std::max<std::int64_t>(stored, 1), 1};
    real_fft_nd(ctx, x, spectrum, {.extents = {rows, cols}, .out_strides = strides});
    inverse_real_fft_nd(ctx, spectrum, back, {.extents = {rows, cols}, .in_strides = strides});
    for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT(std::lround(back[i]) == numbers[i]);
  }));
}

TEST_CASE("a sparse product is that of the dense matrix") {
  CHECK(rc::check([](const std::vector<std::uint16_t>& places, const std::vector<std::int8_t>& numbers) {
    constexpr std::int64_t kRows = 7, kCols = 9, kWidth = 3;
    const auto number = [&](std::size_t i) {
      return numbers.empty() ? 1.0 : static_cast<double>(numbers[i % numbers.size()]);
    };
    std::vector<double> dense(kRows * kCols), x(kCols), y(kRows), wanted(kRows);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = number(j + 3);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = wanted[i] = number(2 * i);
    std::vector<std::int64_t> offsets(kRows + 1);
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        const std::int64_t place = places[i] % (kRows * kCols);
        if (place / kCols != row) continue;
        columns.push_back(static_cast<std::int32_t>(place % kCols));
        values.push_back(number(i));
        dense[static_cast<std::size_t>(place)] += number(i);
      }
      offsets[static_cast<std::size_t>(row) + 1] = static_cast<std::int64_t>(columns.size());
    }
    Context ctx = Context::host();
    gemm(ctx, 2, matrix(dense, kRows, kCols), matrix(x, kCols, 1), -1, matrix(wanted, kRows, 1));
    spmv(ctx, CsrMatrix(ctx, kRows, kCols, offsets, columns, values), x, y, {.alpha = 2, .beta = -1});
    RC_ASSERT(y == wanted);
    const OwnedSell<double> slices =
        to_sell(ctx, CsrMatrix(ctx, kRows, kCols, offsets, columns, values), 4, 3);
    std::vector<double> again(kRows);
    for (std::size_t i = 0; i < again.size(); ++i) again[i] = number(2 * i);
    spmv(ctx, slices.view(), x, again, {.alpha = 2, .beta = -1});
    RC_ASSERT(again == wanted);
    const OwnedBsr<double> blocks = to_bsr(ctx, CsrMatrix(ctx, kRows, kCols, offsets, columns, values), 2, 4);
    for (std::size_t i = 0; i < again.size(); ++i) again[i] = number(2 * i);
    spmv(ctx, blocks.view(), x, again, {.alpha = 2, .beta = -1});
    RC_ASSERT(again == wanted);
    std::vector<double> b(kCols * kWidth), c(kRows * kWidth), dense_product(kRows * kWidth);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = number(i + 1);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = dense_product[i] = number(3 * i);
    gemm(ctx, 2, matrix(dense, kRows, kCols), matrix(b, kCols, kWidth), -1,
         matrix(dense_product, kRows, kWidth));
    spmm(ctx, CsrMatrix(ctx, kRows, kCols, offsets, columns, values), matrix(b, kCols, kWidth),
         matrix(c, kRows, kWidth), {.alpha = 2, .beta = -1});
    RC_ASSERT(c == dense_product);
  }));
}

TEST_CASE("a sparse triangular solve undoes a sparse product") {
  CHECK(rc::check([](const std::vector<std::uint16_t>& places, const std::vector<std::int8_t>& numbers,
                     bool upper) {
    constexpr std::int64_t kRows = 9;
    const auto number = [&](std::size_t i) {
      return numbers.empty() ? 1.0 : static_cast<double>(numbers[i % numbers.size()]);
    };
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> columns;
    std::vector<double> values, x(kRows), b(kRows);
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (std::size_t i = 0; i <= places.size(); ++i) {
        const std::int64_t column = i < places.size() ? places[i] / kRows % kRows : row;
        const bool in_row =
            i == places.size() || (places[i] % kRows == row && (upper ? column > row : column < row));
        if (!in_row) continue;
        columns.push_back(static_cast<std::int32_t>(column));
        values.push_back(i < places.size() ? number(i) : row % 2 ? -2.0 : 1.0);
      }
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
      x[static_cast<std::size_t>(row)] = number(static_cast<std::size_t>(row) + 3);
    }
    Context ctx = Context::host();
    const CsrMatrix a(ctx, kRows, kRows, offsets, columns, values);
    spmv(ctx, a, x, b);
    sptrsv(ctx, analyse_triangular(ctx, a, {upper ? Triangle::upper : Triangle::lower}), b, b, {.alpha = -1});
    for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT(b[i] == -x[i]);
  }));
}

TEST_SUITE_END();

}  // namespace tandem
