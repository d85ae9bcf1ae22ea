// needs: fftw
// FFTW's guru interface with its own threads; the plan of a shape is measured at its first call and kept.
// Limits:  the first call of a shape measures, for up to a microsecond for each number. Factors take a loop of one thread behind it.

#include "vendor_wrappers/real_fft/fftw.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

template <class C>
void fftw(const typename C::Args& a, Context& ctx) {
  fftw_real_rows<C>(a, ctx, most_workers(), "fftw real");
}

REGISTER(RealFft, fftw, .note = "fftw_plan_guru64_dft_r2c and _c2r, measured, all threads",
         .version = "FFTW 3", .depth = RealFft::levels_or_convolution,
         .refuses = fftw_refuses<RealFft::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
