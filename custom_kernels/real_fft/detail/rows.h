#pragma once
// Real rows on the CPU: even ones packed, odd ones as complex rows.

#include "custom_kernels/fft/detail/threads.h"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {

/// Where pairs of real numbers are read or written as complex ones; spectra of real rows are read number by number.
template <class Args, class T>
requires requires(const Args& a) { a.in_distance; }
RowParts<const T> parts_in(const PackedWay<Args, T>& way, std::int64_t row) {
  if (way.a.inverse) return {};
  return {way.a.in + row * way.a.in_distance, way.a.in_distance};
}
template <class Args, class T>
requires requires(const Args& a) { a.out_distance; }
RowParts<T> parts_out(const PackedWay<Args, T>& way, std::int64_t row) {
  if (way.a.inverse) return {way.a.out + row * way.a.out_distance, way.a.out_distance, 2, true, way.a.factor};
  return {&way.a.spectrum(row)->re, 2 * way.a.out_distance};
}

/// Transforms rows of a call, one or as many as a vector has lanes.
template <class Args, class T = decltype(Args::factor)>
class RealRows {
 public:
  RealRows(const Args& a, Context& ctx, RowWay way)
      : even_(a.n % 2 == 0),
        plain_(a),
        packed_(a, even_ ? roots<T>(ctx, a.n) : nullptr),
        transform_(ctx, length(), a.batch, way) {}
  /// Of the complex rows.
  std::int64_t length() const { return even_ ? packed_.n : plain_.n; }
  std::int64_t together() const { return transform_.together(); }
  std::int64_t scratch() const { return transform_.scratch(); }

  /// Rows from `first` on, as RowTransform takes them.
  void operator()(std::int64_t first, std::int64_t rows, Complex<T>* scratch) const {
    if (!even_) return transform_(plain_, first, rows, scratch);
    transform_(packed_, first, rows, scratch);
    for (std::int64_t row = first; row < first + rows && packed_.splits(); ++row) {
      for (std::int64_t k = 0; k < packed_.pairs(); ++k) packed_.split(row, k, packed_.a.spectrum(row));
    }
  }

 private:
  bool even_;
  PlainWay<Args> plain_;
  PackedWay<Args> packed_;
  RowTransform<T> transform_;
};

/// All rows of a call, shared out among the threads.
template <class Args, class T = decltype(Args::factor)>
void share_real_rows(Context& ctx, const Args& a) {
  const RealRows transform(a, ctx, RowWay::in_lanes);
  share_rows<T>(
      ctx, transform.length(), a.batch, transform.together(), transform.scratch(),
      [&](std::int64_t row, std::int64_t rows, Complex<T>* scratch) { transform(row, rows, scratch); });
}

}  // namespace tandem
