// Idea:    each axis by what fits it: registers, shared memory, fft's four steps, or a convolution by them.
// New:     against registers, nearly any extent, and axes of different kinds in one grid.
// Expect:  a copy for each short axis; twice its traffic for a long power of two, eight times or more for a convolution.
// Limits:  extents of up to 4,096 without prime factors above 7, powers of two to 2^24, others from 17 to 2^23; for long axes an
//          array of scratch of the grids' size, or three of the convolution's. Along a long axis with a stride each number is a
//          sector of its own.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory"; Bluestein 1970, "A linear filtering approach to the
//          computation of discrete Fourier transform".

#include "custom_kernels/fft_nd/detail/any_lines.cuh"

namespace tandem {
namespace {

template <class C>
void any_axis(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) { any_lines(ctx, pass); });
}

std::string refuses(const FftNd::Shape& s, CaseId) {
  return FftNd::points(s.extents) == 0 || std::ranges::all_of(s.extents, takes_any_lines)
             ? ""
             : "takes extents to 2^23, but 11 and 13, and powers of two to 2^24";
}

REGISTER(FftNd, any_axis,
         .note = "each axis in registers, in shared memory, by the four steps or a convolution",
         .depth = levels_of_any_axes, .refuses = refuses)

}  // namespace
}  // namespace tandem
