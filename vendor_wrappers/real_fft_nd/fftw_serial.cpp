// needs: fftw
// The same on one thread.
// Limits:  as fftw's.

#include "vendor_wrappers/real_fft_nd/fftw.h"

namespace tandem {
namespace {

template <class C>
void fftw_serial(const typename C::Args& a, Context& ctx) {
  fftw_real_grids<C>(a, ctx, 1, "fftw serial real grids");
}

REGISTER(RealFftNd, fftw_serial, .note = "fftw_plan_guru64_dft_r2c and _c2r, measured, one thread",
         .version = "FFTW 3", .depth = RealFftNd::levels_or_convolution,
         .refuses = fftw_refuses<RealFftNd::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
