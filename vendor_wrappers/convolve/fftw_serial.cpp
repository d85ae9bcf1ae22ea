// needs: fftw
// The same on one thread.
// Limits:  as fftw's.

#include "vendor_wrappers/convolve/fftw.h"

namespace tandem {
namespace {

template <class C>
void fftw_serial(const typename C::Args& a, Context& ctx) {
  fftw_convolve<C>(a, ctx, 1, "fftw serial");
}

REGISTER(Convolve, fftw_serial, .note = "fftw_plan_guru64_dft there and back, measured, one thread",
         .version = "FFTW 3", .depth = Convolve::levels_or_convolution,
         .refuses = fftw_refuses<Convolve::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
