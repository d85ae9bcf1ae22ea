#pragma once
// Rows of any length on the CPU.

#include <algorithm>

#include "custom_kernels/fft/detail/lanes.h"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// Transforms rows of one length, one or as many as a vector has lanes.
template <class T>
class RowTransform {
 public:
  static constexpr std::int64_t kLanes = Lanes<T>::kCount;

  RowTransform(Context& ctx, std::int64_t n) : n_(n), smooth_(Fft::is_smooth(n)) {
    if (!smooth_) chirp_ = chirp_of<T>(ctx, n);
    roots_ = roots<T>(ctx, size());
  }
  /// Rows of `batch` to be transformed together: one where those of all lanes would leave the cache.
  std::int64_t together(std::int64_t batch) const {
    constexpr std::int64_t kMostNumbers = 1 << 17;
    return size() * kLanes <= kMostNumbers ? std::min(kLanes, batch) : 1;
  }
  /// Numbers of scratch for each thread that transforms `rows` together.
  std::int64_t scratch(std::int64_t rows) const { return 2 * size() * (rows > 1 ? kLanes : 1); }

  /// Rows from `row` on, at most kLanes, from a.load(row, j) to a.store(row, k, number). All are loaded before one is stored.
  template <class Args>
  void operator()(const Args& a, std::int64_t row, std::int64_t rows, Complex<T>* scratch) const {
    if (rows > 1)
      transform(a, row, rows, reinterpret_cast<Complex<Lanes<T>>*>(scratch));
    else
      transform(a, row, 1, scratch);
  }

 private:
  std::int64_t size() const { return smooth_ ? n_ : chirp_.m; }

  static T& lane(T& part, std::int64_t) { return part; }
  static T& lane(Lanes<T>& part, std::int64_t i) { return reinterpret_cast<T*>(&part.v)[i]; }

  template <class Args, class Number>
  void transform(const Args& a, std::int64_t row, std::int64_t rows, Number* x) const {
    Number* const work = x + size();
    const auto broadcast = [](const Complex<T>& c) { return Number{c.re, c.im}; };
    for (std::int64_t j = 0; j < n_; ++j) {
      x[j] = Number{0, 0};  // lanes without a row
      for (std::int64_t i = 0; i < rows; ++i) {
        const Complex<T> number = a.load(row + i, j);
        lane(x[j].re, i) = number.re, lane(x[j].im, i) = number.im;
      }
    }
    Number* result;
    if (smooth_) {
      result = stockham(x, work, n_, roots_);
    } else {
      const auto& [n, m, chirp, spectrum] = chirp_;
      for (std::int64_t j = 0; j < m; ++j) x[j] = j < n ? x[j] * broadcast(chirp[j]) : Number{0, 0};
      Number* product = stockham(x, work, m, roots_);
      for (std::int64_t k = 0; k < m; ++k) product[k] = swapped(product[k] * broadcast(spectrum[k]));
      result = stockham(product, product == x ? work : x, m, roots_);
      for (std::int64_t k = 0; k < n; ++k) result[k] = swapped(result[k]) * broadcast(chirp[k]);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t k = 0; k < n_; ++k)
        a.store(row + i, k, {lane(result[k].re, i), lane(result[k].im, i)});
    }
  }

  std::int64_t n_;
  bool smooth_;
  const Complex<T>* roots_;  // of size()
  Chirp<T> chirp_{};
};

}  // namespace tandem
