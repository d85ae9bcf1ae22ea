#pragma once
// A transform of real grids is one of real rows along the last axis and one of complex lines along each other axis: rows come first,
// or, back, last.

#include "custom_kernels/fft_nd/detail/passes.h"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/real_fft_nd/contract.h"
#include "tandem/context.h"

namespace tandem {

/// Numbers at one distance from each other.
template <class T>
struct Strided {
  T* first;
  std::int64_t stride;
  TANDEM_HD T& operator[](std::int64_t i) const { return first[i * stride]; }
};

/// The rows along the last axis of all grids, with the functions of real_fft's arguments. kAlone: one of them.
template <class T, bool kAlone = false>
struct RealRowsOfGrids {
  const T* in;
  T* out;
  std::int64_t n, batch;               // of a row its real numbers; rows
  std::int64_t in_stride, out_stride;  // along a row, in numbers of either side
  struct Step {
    std::int64_t extent, in_stride, out_stride;
  } step[3];  // from row to row, the fastest first, and those of one row last
  bool inverse;
  T factor;

  /// One row, number 0 of its own, whose beginning is known.
  TANDEM_HD RealRowsOfGrids<T, true> alone(std::int64_t row) const {
    return {in + in_begin(row) * (inverse ? 2 : 1),
            out + out_begin(row) * (inverse ? 1 : 2),
            n,
            1,
            in_stride,
            out_stride,
            {},
            inverse,
            factor};
  }
  /// Where a row begins, in numbers of the side.
  TANDEM_HD std::int64_t in_begin(std::int64_t row) const { return begin(row, &Step::in_stride); }
  TANDEM_HD std::int64_t out_begin(std::int64_t row) const { return begin(row, &Step::out_stride); }

  TANDEM_HD T load_real(std::int64_t row, std::int64_t j) const { return in[in_begin(row) + j * in_stride]; }
  bool has_pairs() const {
    bool even = in_stride == 1 && reinterpret_cast<std::uintptr_t>(in) % sizeof(Complex<T>) == 0;
    for (const Step& s : step) even &= s.extent == 1 || s.in_stride % 2 == 0;
    return even;
  }
  TANDEM_HD const Complex<T>* pairs(std::int64_t row) const {
    return reinterpret_cast<const Complex<T>*>(in + in_begin(row));
  }
  TANDEM_HD Complex<T> load_complex(std::int64_t row, std::int64_t k) const {
    const auto* numbers = reinterpret_cast<const Complex<T>*>(in);
    return RealFft::real_where_alone(numbers[in_begin(row) + k * in_stride], k, n);
  }
  TANDEM_HD void store_real(std::int64_t row, std::int64_t j, T x) const {
    out[out_begin(row) + j * out_stride] = factor * x;
  }
  TANDEM_HD void store_complex(std::int64_t row, std::int64_t k, Complex<T> x) const {
    spectrum(row)[k] = factor * RealFft::real_where_alone(x, k, n);
  }
  TANDEM_HD Strided<Complex<T>> spectrum(std::int64_t row) const {
    return {reinterpret_cast<Complex<T>*>(out) + out_begin(row), out_stride};
  }

 private:
  TANDEM_HD std::int64_t begin(std::int64_t row, std::int64_t Step::*stride) const {
    if constexpr (kAlone) return 0;
    if (step[1].extent == 1) return row * (step[0].*stride);  // all rows at one distance
    const std::int64_t slower = row / step[0].extent, slowest = slower / step[1].extent;
    return (row - slower * step[0].extent) * (step[0].*stride) +
           (slower - slowest * step[1].extent) * (step[1].*stride) + slowest * (step[2].*stride);
  }
};

/// The grids of complex numbers, as pass_along() takes them.
template <class T>
struct Spectra {
  OfAxes extents;
  std::int64_t batch;
  bool inverse;
  T factor;
};

template <class Args, class T = decltype(Args::factor)>
Spectra<T> spectra_of(const Args& a) {
  return {RealFftNd::spectrum(a.extents), a.batch, a.inverse, a.factor};
}

/// All rows, from one layout to another.
template <class Args, class T = decltype(Args::factor)>
RealRowsOfGrids<T> rows_of(const Args& a, const T* in, const GridLayout& from, T* out, const GridLayout& to,
                           T factor) {
  using Step = typename RealRowsOfGrids<T>::Step;
  Step steps[3] = {{a.extents[1], from.strides[1], to.strides[1]},
                   {a.extents[0], from.strides[0], to.strides[0]},
                   {a.batch, from.distance, to.distance}};
  std::ranges::sort(steps, {}, [](const Step& s) { return std::pair(s.extent == 1, s.out_stride); });
  // Steps that go on where faster ones end are one.
  for (int faster = 0, slower = 1; slower < 3; ++slower) {
    Step &f = steps[faster], &s = steps[slower];
    if (s.in_stride == f.extent * f.in_stride && s.out_stride == f.extent * f.out_stride)
      f.extent *= s.extent, s.extent = 1;
    else if (++faster != slower)
      std::swap(steps[faster], s);
  }
  const std::int64_t rows = a.extents[0] * a.extents[1] * a.batch;
  return {
      in,        out,   a.extents[2], rows, from.strides[2], to.strides[2], {steps[0], steps[1], steps[2]},
      a.inverse, factor};
}

/// Calls rows(RealRowsOfGrids) once, and lines(Pass) along each other axis longer than 1. Forward rows lead from `in` to `out`, where
/// lines are transformed in place. Back, lines lead from `in` to scratch, or stay in place where the call is, and rows from there.
/// The last one multiplies.
template <class Args, class Rows, class Lines, class T = decltype(Args::factor)>
void for_each_pass(const Args& a, Context& ctx, const Rows& rows, const Lines& lines) {
  const Spectra<T> spectra = spectra_of(a);
  const auto numbers = [](auto* parts) {
    using Number = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(parts)>>,
                                      const Complex<T>, Complex<T>>;
    return reinterpret_cast<Number*>(parts);
  };
  std::size_t axes[2], count = 0;  // longer than 1, the faster first
  for (const std::size_t axis : {1, 0}) {
    if (a.extents[axis] > 1) axes[count++] = axis;
  }
  if (!a.inverse) {
    rows(rows_of(a, a.in, a.from, a.out, a.to, count == 0 ? a.factor : T(1)));
    for (std::size_t i = 0; i < count; ++i) {
      lines(pass_along(spectra, axes[i], numbers(a.out), a.to, numbers(a.out), a.to,
                       i + 1 == count ? a.factor : T(1)));
    }
    return;
  }
  const T* in = a.in;
  GridLayout from = a.from;
  if (count > 0) {
    const bool in_place = a.in == a.out;
    const GridLayout between = in_place ? a.from : FftNd::contiguous(spectra.extents);
    Complex<T>* const target =
        in_place ? numbers(a.out) : ctx.scratch<Complex<T>>(a.batch * FftNd::points(spectra.extents));
    for (std::size_t i = count; i-- > 0;) {
      lines(pass_along(spectra, axes[i], numbers(in), from, target, between, T(1)));
      in = reinterpret_cast<const T*>(target), from = between;
    }
  }
  rows(rows_of(a, in, from, a.out, a.to, a.factor));
}

}  // namespace tandem
