// needs: fftw
// The same on one thread.
// Limits:  as fftw's.

#include "vendor_wrappers/real_fft/fftw.h"

namespace tandem {
namespace {

template <class C>
void fftw_serial(const typename C::Args& a, Context& ctx) {
  fftw_real_rows<C>(a, ctx, 1, "fftw serial real");
}

REGISTER(RealFft, fftw_serial, .note = "fftw_plan_guru64_dft_r2c and _c2r, measured, one thread",
         .version = "FFTW 3", .depth = RealFft::levels_or_convolution,
         .refuses = fftw_refuses<RealFft::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
