#pragma once
// Real rows by FFTW.

#include <tuple>

#include "lib/ops/real_fft/contract.h"
#include "vendor_wrappers/common/fftw.h"

namespace tandem {

/// Runs a call by a plan that is measured when its shape first comes.
template <class C>
void fftw_real_rows(const typename C::Args& a, Context& ctx, int threads, const char* name) {
  using T = typename C::T;
  using Number = FftwNumber<T>;
  auto* const in = const_cast<T*>(a.in);
  const bool in_place = a.in == a.out;
  const std::int64_t spectrum = RealFft::spectrum_size(a.n);
  const auto make = [&] {
    const auto parts = [&](std::int64_t distance) { return 2 * ((a.batch - 1) * distance + spectrum); };
    const auto from = fftw_memory<T>(parts(a.in_distance)), to = fftw_memory<T>(parts(a.out_distance));
    T* const target = in_place ? from.get() : to.get();
    const fftw_iodim64 points{a.n, 1, 1}, rows{a.batch, a.in_distance, a.out_distance};
    const unsigned flags =
        fftw_flags(fftw_aligned(a.in, a.out)) | (in_place ? 0u : unsigned{FFTW_PRESERVE_INPUT});
    return a.inverse ? FFTW(T, plan_guru64_dft_c2r)(1, &points, 1, &rows,
                                                    reinterpret_cast<Number*>(from.get()), target, flags)
                     : FFTW(T, plan_guru64_dft_r2c)(1, &points, 1, &rows, from.get(),
                                                    reinterpret_cast<Number*>(target), flags);
  };
  const std::tuple shape(a.n, a.batch, a.in_distance, a.out_distance, in_place, a.inverse,
                         fftw_aligned(a.in, a.out));
  const double numbers = static_cast<double>(a.n) * static_cast<double>(a.batch);
  auto* const plan = fftw_plan_of<T>(ctx, name, shape, threads, numbers, make);
  if (a.inverse)
    FFTW(T, execute_dft_c2r)(plan, reinterpret_cast<Number*>(in), a.out);
  else
    FFTW(T, execute_dft_r2c)(plan, in, reinterpret_cast<Number*>(a.out));
  if (a.factor == 1) return;  // FFTW leaves both directions as they are
  const std::int64_t width = a.inverse ? 1 : 2;
  for (std::int64_t row = 0; row < a.batch; ++row) {
    T* const first = a.out + row * a.out_distance * width;
    for (std::int64_t k = 0; k < (a.inverse ? a.n : 2 * spectrum); ++k) first[k] *= a.factor;
  }
}

}  // namespace tandem
