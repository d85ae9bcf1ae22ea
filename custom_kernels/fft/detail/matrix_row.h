#pragma once
// A long row on the CPU as a matrix: transforms of its columns, roots, transforms of its rows, as many together as a vector has
// lanes. Each reads and writes whole cache lines, and stays in a cache.

#include <algorithm>
#include <cmath>

#include "custom_kernels/fft/detail/lanes.h"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

template <class T>
class MatrixRow {
 public:
  static constexpr std::int64_t kLanes = Lanes<T>::kCount;

  MatrixRow() = default;  // of no row
  MatrixRow(Context& ctx, std::int64_t n) : columns_(columns_of(n)) {
    if (columns_ == 0) return;
    rows_ = n / columns_;
    row_plan_ = {columns_, Radices(columns_), roots<T>(ctx, columns_)};
    column_plan_ = {rows_, Radices(rows_), roots<T>(ctx, rows_)};
    between_ = matrix_roots<T>(ctx, rows_, columns_, kLanes);
  }
  /// Whether the row is one.
  explicit operator bool() const { return columns_ > 0; }
  std::int64_t column_groups() const { return groups(columns_); }
  std::int64_t row_groups() const { return groups(rows_); }
  /// Numbers of scratch for each thread.
  std::int64_t scratch() const { return 2 * kLanes * std::max(rows_, columns_); }

  /// A group of columns of the row that `from` is, into a matrix of numbers.
  void transform_columns(std::int64_t group, const RowParts<const T>& from, Complex<T>* matrix,
                         Complex<T>* scratch) const {
    const std::int64_t first = group * kLanes, count = std::min(kLanes, columns_ - first);
    auto* x = reinterpret_cast<Complex<Lanes<T>>*>(scratch);
    load_lanes<T>({from.at(0, first), from.along, columns_ * from.along, from.swapped}, count, rows_, x);
    x = stockham(x, x + rows_, column_plan_);
    multiply(x, between_ + 2 * first * rows_);
    store_lanes<T>(x, count, rows_, {&matrix[first].re, 2, 2 * columns_});
  }
  /// A group of rows of the matrix: results of the row that `to` is.
  void transform_rows(std::int64_t group, const Complex<T>* matrix, const RowParts<T>& to,
                      Complex<T>* scratch) const {
    const std::int64_t first = group * kLanes, count = std::min(kLanes, rows_ - first);
    auto* x = reinterpret_cast<Complex<Lanes<T>>*>(scratch);
    load_lanes<T>({&matrix[first * columns_].re, 2 * columns_, 2}, count, columns_, x);
    x = stockham(x, x + columns_, row_plan_);
    store_lanes<T>(x, count, columns_, {to.at(0, first), to.along, rows_ * to.along, to.swapped, to.factor});
  }
  /// All of them. The row is read before any of the results is written.
  void operator()(const RowParts<const T>& from, const RowParts<T>& to, Complex<T>* matrix,
                  Complex<T>* scratch) const {
    for (std::int64_t g = 0; g < column_groups(); ++g) transform_columns(g, from, matrix, scratch);
    for (std::int64_t g = 0; g < row_groups(); ++g) transform_rows(g, matrix, to, scratch);
  }

 private:
  static std::int64_t groups(std::int64_t lines) { return (lines + kLanes - 1) / kLanes; }
  /// A divisor of about √n, best one that fills all groups. Both it and n over it are at least kLanes. 0 where there is none, or where
  /// two rounds of so few numbers take longer than one.
  static std::int64_t columns_of(std::int64_t n) {
    constexpr std::int64_t kLeast = 32 * sizeof(T);
    if (n < kLeast) return 0;
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
    for (std::int64_t d = groups(root) * kLanes; n / d >= kLanes && d <= 4 * root; d += kLanes) {
      if (n % d == 0) return d;
    }
    for (std::int64_t d = root; n >= 3 * kLeast && n / d >= kLanes && d <= 4 * root; ++d) {
      if (n % d == 0) return d;
    }
    return 0;
  }
  [[gnu::flatten]] TANDEM_CLONES void multiply(Complex<Lanes<T>>* x, const T* by) const {
    for (std::int64_t k = 0; k < rows_; ++k, by += 2 * kLanes) {
      Complex<Lanes<T>> w;
      std::memcpy(&w.re.v, by, sizeof w.re.v), std::memcpy(&w.im.v, by + kLanes, sizeof w.im.v);
      x[k] = x[k] * w;
    }
  }

  std::int64_t columns_ = 0, rows_ = 0;
  StockhamPlan<T> row_plan_, column_plan_;
  const T* between_ = nullptr;  // matrix_roots
};

}  // namespace tandem
