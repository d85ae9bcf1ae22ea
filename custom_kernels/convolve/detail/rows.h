#pragma once
// Rows of any length on the CPU: there, times the filter, and back.

#include "custom_kernels/fft/detail/row.h"
#include "lib/ops/convolve/contract.h"

namespace tandem {

/// Where the numbers of convolve's rows are read and written.
template <class Args>
requires requires(const Args& a) { a.filter; }
auto parts_in(const Args& a, std::int64_t row) {
  using T = decltype(Args::factor);
  return RowParts<const T>{&a.in[row * a.in_distance].re, 2 * a.in_distance};
}
template <class Args>
requires requires(const Args& a) { a.filter; }
auto parts_out(const Args& a, std::int64_t row) {
  using T = decltype(Args::factor);
  return RowParts<T>{&a.out[row * a.out_distance].re, 2 * a.out_distance, 2, true, a.factor};
}

/// Convolves rows of a call, one or as many as a vector has lanes.
template <class C>
class ConvolveRows {
 public:
  using T = typename C::T;
  using Args = typename C::Args;

  ConvolveRows(const Args& a, Context& ctx, RowWay way) : a_(a), transform_(ctx, a.n, a.batch, way) {}
  std::int64_t together() const { return transform_.together(); }
  /// Numbers of scratch for each thread.
  std::int64_t scratch() const { return transform_.scratch(); }
  /// Rows from `row` on, as RowTransform takes them.
  void operator()(std::int64_t row, std::int64_t rows, Complex<T>* scratch) const {
    transform_.there_and_back(a_, row, rows, scratch,
                              [&](auto* x) { multiply_numbers(x, a_.filter, a_.n, true); });
  }

 private:
  Args a_;
  RowTransform<T> transform_;
};

}  // namespace tandem
