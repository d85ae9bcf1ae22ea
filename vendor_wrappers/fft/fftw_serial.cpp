// needs: fftw
// The same on one thread.
// Limits:  as fftw's.

#include "vendor_wrappers/fft/fftw.h"

namespace tandem {
namespace {

template <class C>
void fftw_serial(const typename C::Args& a, Context& ctx) {
  fftw_rows<C>(a, ctx, 1, "fftw serial");
}

REGISTER(Fft, fftw_serial, .note = "fftw_plan_guru64_dft, measured, one thread", .version = "FFTW 3",
         .depth = Fft::levels_or_convolution, .refuses = fftw_refuses<Fft::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
