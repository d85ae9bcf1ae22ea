// Idea:    a launch for each axis: rows of pairs go through shared memory as in real_fft's shared, lines as in fft_nd's, in place.
// New:     against naive, n log2(n) operations for a row or a line; no scratch, except back where the call is not in place.
// Expect:  half the traffic of a complex grid: a copy of the spectra for each axis.
// Limits:  halves of even last extents, odd ones and the other extents up to 4,096 without prime factors above 7.
// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
//          sine, cosine and Laplace transforms"; Govindaraju and others 2008, "High performance discrete Fourier transforms on
//          graphics processors".

#include "custom_kernels/fft_nd/detail/shared_lines.cuh"
#include "custom_kernels/real_fft/detail/shared_rows.cuh"
#include "custom_kernels/real_fft_nd/detail/passes.h"

namespace tandem {
namespace {

template <class C>
void shared(const typename C::Args& a, Context& ctx) {
  for_each_pass(
      a, ctx, [&](const auto& rows) { shared_rows(ctx, rows); },
      [&](const auto& lines) { shared_lines(ctx, lines); });
}

std::string refuses(const RealFftNd::Shape& s, CaseId) {
  return s.scale() == 0 || (takes_shared_rows(s.extents[2]) && takes_shared_lines(s.extents[1]) &&
                            takes_shared_lines(s.extents[0]))
             ? ""
             : "takes extents up to 4096, even last ones up to 8192, without prime factors above 7";
}

REGISTER(RealFftNd, shared,
         .note = "pairs of real rows, then lines, in shared memory, a launch for each axis",
         .depth = RealFftNd::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
