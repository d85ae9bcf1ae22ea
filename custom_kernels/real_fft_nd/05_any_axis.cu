// Idea:    each axis by what fits it: registers, shared memory, fft's four steps, or a convolution by them; rows as real_fft's steps
//          do it, lines as fft_nd's any_axis.
// New:     against shared, powers of two in registers, and nearly any extent.
// Expect:  a copy of the spectra for each short axis; of a long row one more read and write for the split, of a long power of two
//          twice its traffic, eight times or more for a convolution.
// Limits:  last extents as real_fft's shared, registers and long_rows take them together; others as fft_nd's any_axis. For long axes
//          an array of scratch of the spectra's size, or three of the convolution's.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory"; Bluestein 1970, "A linear filtering approach to the
//          computation of discrete Fourier transform".

#include "custom_kernels/fft_nd/detail/any_lines.cuh"
#include "custom_kernels/real_fft_nd/detail/any_rows.cuh"

namespace tandem {
namespace {

template <class C>
void any_axis(const typename C::Args& a, Context& ctx) {
  for_each_pass(
      a, ctx, [&](const auto& rows) { any_rows(ctx, rows); },
      [&](const auto& lines) { any_lines(ctx, lines); });
}

std::string refuses(const RealFftNd::Shape& s, CaseId) {
  return s.scale() == 0 || (takes_any_rows(s.extents[2]) && takes_any_lines(s.extents[1]) &&
                            takes_any_lines(s.extents[0]))
             ? ""
             : "takes extents to 2^23 except 11 and 13, powers of two to 2^24, "
               "and even last ones twice as long except 22 and 26";
}

REGISTER(RealFftNd, any_axis,
         .note = "each axis in registers, in shared memory, by the four steps or a convolution",
         .depth = levels_of_any_rows_and_axes, .refuses = refuses)

}  // namespace
}  // namespace tandem
