// needs: fftw
// FFTW's guru interface with its own threads, there and back, and a loop over rows that multiplies between; plans of a shape are
// measured at its first call and kept.
// Limits:  the first call of a shape measures twice, for up to a microsecond for each number. A single row is multiplied by one
//          thread.

#include "vendor_wrappers/convolve/fftw.h"

namespace tandem {
namespace {

template <class C>
void fftw(const typename C::Args& a, Context& ctx) {
  fftw_convolve<C>(a, ctx, most_workers(), "fftw");
}

REGISTER(Convolve, fftw, .note = "fftw_plan_guru64_dft there and back, measured, all threads",
         .version = "FFTW 3", .depth = Convolve::levels_or_convolution,
         .refuses = fftw_refuses<Convolve::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
