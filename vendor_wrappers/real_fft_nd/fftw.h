#pragma once
// Real grids by FFTW.

#include <tuple>

#include "vendor_wrappers/fft_nd/fftw.h"
#include "vendor_wrappers/real_fft_nd/symmetric.h"

namespace tandem {

/// Runs a call by a plan that is measured when its shape first comes.
template <class C>
void fftw_real_grids(const typename C::Args& a, Context& ctx, int threads, const char* name) {
  using T = typename C::T;
  using Number = FftwNumber<T>;
  const OfAxes spectrum = RealFftNd::spectrum(a.extents);
  const GridLayout &real = a.inverse ? a.to : a.from, numbers = FftNd::contiguous(spectrum);
  const GridLayout complex = a.inverse ? numbers : a.to;
  const T* in = a.in;
  if (a.inverse) {  // FFTW writes into spectra, and takes their symmetry for granted
    const SymmetricSpectra<T> spectra(a);
    const std::int64_t all = numbers.distance * a.batch;
    auto* const copy = ctx.scratch<Complex<T>>(all);
    for (std::int64_t i = 0; i < all; ++i) copy[i] = spectra[i];
    in = &copy->re;
  }
  const bool in_place = in == a.out;
  const bool aligned = fftw_aligned(in, a.out) && all_aligned<T>(real, a.extents, a.batch) &&
                       all_aligned<Complex<T>>(complex, spectrum, a.batch);
  const auto make = [&] {
    const auto reals = fftw_memory<T>(in_place ? 1 : FftNd::storage_size(real, a.extents, a.batch));
    const auto parts = fftw_memory<T>(2 * FftNd::storage_size(complex, spectrum, a.batch));
    fftw_iodim64 axes[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      axes[axis] = a.inverse ? fftw_iodim64{a.extents[axis], complex.strides[axis], real.strides[axis]}
                             : fftw_iodim64{a.extents[axis], real.strides[axis], complex.strides[axis]};
    }
    const unsigned flags = fftw_flags(aligned);
    auto* const as_numbers = reinterpret_cast<Number*>(parts.get());
    if (a.inverse) {
      const fftw_iodim64 grids{a.batch, complex.distance, real.distance};
      return FFTW(T, plan_guru64_dft_c2r)(3, axes, 1, &grids, as_numbers, reals.get(), flags);
    }
    const fftw_iodim64 grids{a.batch, real.distance, complex.distance};
    return FFTW(T, plan_guru64_dft_r2c)(3, axes, 1, &grids, in_place ? parts.get() : reals.get(), as_numbers,
                                        flags);
  };
  const std::tuple shape(a.extents, a.batch, real.strides, real.distance, complex.strides, complex.distance,
                         in_place, a.inverse, aligned);
  const double count = static_cast<double>(FftNd::points(a.extents)) * static_cast<double>(a.batch);
  auto* const plan = fftw_plan_of<T>(ctx, name, shape, threads, count, make);
  auto* const from = const_cast<T*>(in);
  if (a.inverse)
    FFTW(T, execute_dft_c2r)(plan, reinterpret_cast<Number*>(from), a.out);
  else
    FFTW(T, execute_dft_r2c)(plan, from, reinterpret_cast<Number*>(a.out));
  if (a.factor == 1) return;  // FFTW leaves both directions as they are
  const OfAxes& results = a.inverse ? a.extents : spectrum;
  const std::int64_t width = a.inverse ? 1 : 2;
  for (std::int64_t grid = 0; grid < a.batch; ++grid) {
    for (std::int64_t x = 0; x < results[0]; ++x) {
      for (std::int64_t y = 0; y < results[1]; ++y) {
        T* const line = a.out + width * (grid * a.to.distance + x * a.to.strides[0] + y * a.to.strides[1]);
        for (std::int64_t z = 0; z < results[2]; ++z) {
          for (std::int64_t part = 0; part < width; ++part)
            line[width * z * a.to.strides[2] + part] *= a.factor;
        }
      }
    }
  }
}

}  // namespace tandem
