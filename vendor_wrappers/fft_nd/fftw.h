#pragma once
// Grids by FFTW.

#include <array>
#include <tuple>

#include "lib/ops/fft_nd/contract.h"
#include "vendor_wrappers/common/fftw.h"

namespace tandem {

/// Whether all that is taken together begins at multiples of 16 bytes. Where some of it does not, FFTW 3.3.10 tells most plans
/// apart, but not all: 12 grids of 1 x 1 x 64 floats with a distance of 73 are stored as if they did, and the program ends.
/// Number: of the layout.
template <class Number>
bool all_aligned(const GridLayout& layout, const OfAxes& extents, std::int64_t batch) {
  constexpr std::int64_t kNumbers = 16 / sizeof(Number);
  const auto fits = [](std::int64_t count, std::int64_t stride) {
    return count < 2 || stride == 1 || stride % kNumbers == 0;
  };
  bool all = fits(batch, layout.distance);
  for (std::size_t axis = 0; axis < 3; ++axis) all &= fits(extents[axis], layout.strides[axis]);
  return all;
}

/// Runs a call by a plan that is measured when its shape first comes.
template <class C>
void fftw_grids(const typename C::Args& a, Context& ctx, int threads, const char* name) {
  using T = typename C::T;
  using Number = FftwNumber<T>;
  auto* const in = reinterpret_cast<Number*>(const_cast<Complex<T>*>(a.in));
  auto* const out = reinterpret_cast<Number*>(a.out);
  const bool in_place = a.in == a.out, aligned = fftw_aligned(in, out) &&
                                                 all_aligned<Complex<T>>(a.from, a.extents, a.batch) &&
                                                 all_aligned<Complex<T>>(a.to, a.extents, a.batch);
  const auto make = [&] {
    const auto parts = [&](const GridLayout& l) { return 2 * FftNd::storage_size(l, a.extents, a.batch); };
    const auto from = fftw_memory<T>(parts(a.from)), to = fftw_memory<T>(in_place ? 1 : parts(a.to));
    fftw_iodim64 axes[3];
    for (std::size_t axis = 0; axis < 3; ++axis)
      axes[axis] = {a.extents[axis], a.from.strides[axis], a.to.strides[axis]};
    const fftw_iodim64 grids{a.batch, a.from.distance, a.to.distance};
    return FFTW(T, plan_guru64_dft)(3, axes, 1, &grids, reinterpret_cast<Number*>(from.get()),
                                    reinterpret_cast<Number*>(in_place ? from.get() : to.get()),
                                    a.inverse ? FFTW_BACKWARD : FFTW_FORWARD, fftw_flags(aligned));
  };
  const std::tuple shape(a.extents, a.batch, a.from.strides, a.from.distance, a.to.strides, a.to.distance,
                         in_place, a.inverse, aligned);
  const double numbers = static_cast<double>(FftNd::points(a.extents)) * static_cast<double>(a.batch);
  auto* const plan = fftw_plan_of<T>(ctx, name, shape, threads, numbers, make);
  FFTW(T, execute_dft)(plan, in, out);
  if (a.factor == 1) return;  // FFTW leaves both directions as they are
  for (std::int64_t grid = 0; grid < a.batch; ++grid) {
    for (std::int64_t x = 0; x < a.extents[0]; ++x) {
      for (std::int64_t y = 0; y < a.extents[1]; ++y) {
        Complex<T>* const line = a.out + grid * a.to.distance + x * a.to.strides[0] + y * a.to.strides[1];
        for (std::int64_t z = 0; z < a.extents[2]; ++z)
          line[z * a.to.strides[2]] = a.factor * line[z * a.to.strides[2]];
      }
    }
  }
}

}  // namespace tandem
