#pragma once
// Complex rows by FFTW.

#include <tuple>

#include "lib/ops/fft/contract.h"
#include "vendor_wrappers/common/fftw.h"

namespace tandem {

/// Runs a call by a plan that is measured when its shape first comes.
template <class C>
void fftw_rows(const typename C::Args& a, Context& ctx, int threads, const char* name) {
  using T = typename C::T;
  using Number = FftwNumber<T>;
  auto* const in = reinterpret_cast<Number*>(const_cast<Complex<T>*>(a.in));
  auto* const out = reinterpret_cast<Number*>(a.out);
  const bool in_place = a.in == a.out;
  const auto make = [&] {
    const auto size = [&](std::int64_t distance) { return 2 * ((a.batch - 1) * distance + a.n); };
    const auto from = fftw_memory<T>(size(a.in_distance));
    const auto to = fftw_memory<T>(in_place ? 1 : size(a.out_distance));
    const fftw_iodim64 points{a.n, 1, 1}, rows{a.batch, a.in_distance, a.out_distance};
    return FFTW(T, plan_guru64_dft)(1, &points, 1, &rows, reinterpret_cast<Number*>(from.get()),
                                    reinterpret_cast<Number*>(in_place ? from.get() : to.get()),
                                    a.inverse ? FFTW_BACKWARD : FFTW_FORWARD,
                                    fftw_flags(fftw_aligned(in, out)));
  };
  const std::tuple shape(a.n, a.batch, a.in_distance, a.out_distance, in_place, a.inverse,
                         fftw_aligned(in, out));
  const double numbers = static_cast<double>(a.n) * static_cast<double>(a.batch);
  auto* const plan = fftw_plan_of<T>(ctx, name, shape, threads, numbers, make);
  FFTW(T, execute_dft)(plan, in, out);
  if (a.factor == 1) return;  // FFTW leaves both directions as they are
  for (std::int64_t row = 0; row < a.batch; ++row) {
    Complex<T>* const first = a.out + row * a.out_distance;
    for (std::int64_t k = 0; k < a.n; ++k) first[k] = a.factor * first[k];
  }
}

}  // namespace tandem
