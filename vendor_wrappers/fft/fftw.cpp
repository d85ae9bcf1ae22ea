// needs: fftw
// FFTW's guru interface with its own threads; the plan of a shape is measured at its first call and kept.
// Limits:  the first call of a shape measures, for up to a microsecond for each number. Factors take a loop of one thread behind it.

#include "vendor_wrappers/fft/fftw.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

template <class C>
void fftw(const typename C::Args& a, Context& ctx) {
  fftw_rows<C>(a, ctx, most_workers(), "fftw");
}

REGISTER(Fft, fftw, .note = "fftw_plan_guru64_dft, measured, all threads", .version = "FFTW 3",
         .depth = Fft::levels_or_convolution, .refuses = fftw_refuses<Fft::Shape>, .repeats = false)

}  // namespace
}  // namespace tandem
