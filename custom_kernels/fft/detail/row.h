#pragma once
// Rows of any length on the CPU.

#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// Transforms rows of a call one after the other.
template <class C>
class RowTransform {
 public:
  using T = typename C::T;
  RowTransform(const typename C::Args& a, Context& ctx)
      : a_(a), smooth_(Fft::is_smooth(a.n)), roots_(smooth_ ? roots<T>(ctx, a.n) : nullptr) {
    if (!smooth_) chirp_ = chirp_of<T>(ctx, a.n);
  }
  /// Numbers of scratch that it needs for each thread.
  std::int64_t scratch() const { return 2 * size(); }

  void operator()(std::int64_t row, Complex<T>* scratch) const {
    Complex<T>*const x = scratch, *const work = scratch + size();
    if (smooth_) {
      for (std::int64_t j = 0; j < a_.n; ++j) x[j] = a_.load(row, j);
      const Complex<T>* result = stockham(x, work, a_.n, roots_);
      for (std::int64_t k = 0; k < a_.n; ++k) a_.store(row, k, result[k]);
      return;
    }
    const auto& [n, m, chirp, spectrum, roots] = chirp_;
    for (std::int64_t j = 0; j < m; ++j) x[j] = j < n ? a_.load(row, j) * chirp[j] : Complex<T>{0, 0};
    Complex<T>* product = stockham(x, work, m, roots);
    for (std::int64_t k = 0; k < m; ++k) product[k] = swapped(product[k] * spectrum[k]);
    const Complex<T>* result = stockham(product, product == x ? work : x, m, roots);
    for (std::int64_t k = 0; k < n; ++k) a_.store(row, k, swapped(result[k]) * chirp[k]);
  }

 private:
  std::int64_t size() const { return smooth_ ? a_.n : chirp_.m; }

  const typename C::Args& a_;
  bool smooth_;
  const Complex<T>* roots_;
  Chirp<T> chirp_{};
};

}  // namespace tandem
