// needs: fftw
// FFTW's guru interface with its own threads; the plan of a shape is measured at its first call and kept.
// Limits:  the first call of a shape measures, for up to a microsecond for each number. Spectra are copied by one thread, and factors
//          take a loop of one behind it.

#include "vendor_wrappers/real_fft_nd/fftw.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

template <class C>
void fftw(const typename C::Args& a, Context& ctx) {
  fftw_real_grids<C>(a, ctx, most_workers(), "fftw real grids");
}

REGISTER(RealFftNd, fftw, .note = "fftw_plan_guru64_dft_r2c and _c2r, measured, all threads",
         .version = "FFTW 3", .depth = RealFftNd::levels_or_convolution,
         .refuses = fftw_refuses<RealFftNd::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
