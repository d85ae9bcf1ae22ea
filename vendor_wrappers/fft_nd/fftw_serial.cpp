// needs: fftw
// The same on one thread.
// Limits:  as fftw's.

#include "vendor_wrappers/fft_nd/fftw.h"

namespace tandem {
namespace {

template <class C>
void fftw_serial(const typename C::Args& a, Context& ctx) {
  fftw_grids<C>(a, ctx, 1, "fftw serial grids");
}

REGISTER(FftNd, fftw_serial, .note = "fftw_plan_guru64_dft, measured, one thread", .version = "FFTW 3",
         .depth = FftNd::levels_or_convolution, .refuses = fftw_refuses<FftNd::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
