// Idea:    eight or sixteen numbers of a line stay in a thread's registers, as in fft's steps; along an axis with a stride neighbouring
//          lanes hold neighbouring lines, and meet in whole sectors. The code is in detail/register_lines.cuh, since any_axis has
//          use for it.
// New:     against shared, powers of two alone: one exchange between two passes, without conflicts of banks.
// Expect:  the traffic of a copy for each axis.
// Limits:  powers of two from 8 to 4,096 along each axis longer than 1. Lines above 1,024 are read in pieces shorter than 64 bytes.
// Source:  Volkov, Kazian 2008, "Fitting FFT onto the G80 architecture"; Govindaraju and others 2008, "High performance discrete
//          Fourier transforms on graphics processors".

#include "custom_kernels/fft_nd/detail/register_lines.cuh"

namespace tandem {
namespace {

template <class C>
void registers(const typename C::Args& a, Context& ctx) {
  for_each_axis(a, [&](const Pass<typename C::T>& pass) { register_lines(ctx, pass); });
}

std::string refuses(const FftNd::Shape& s, CaseId) {
  const auto takes = [](std::int64_t n) { return n == 1 || takes_register_lines(n); };
  const std::int64_t points = FftNd::points(s.extents);
  return points == 0 || (points > 1 && std::ranges::all_of(s.extents, takes))
             ? ""
             : "takes extents of powers of two from 8 to 4096";
}

REGISTER(FftNd, registers, .note = "radix 8 or 16 in registers, neighbouring lines in neighbouring lanes",
         .depth = FftNd::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
