// Idea:    axes of lengths that are no powers of two by the few passes of fft's wide. The first pass follows the memory of `in`,
//          along lines or across them, and those behind it that of `out`: threads change lines where they first meet.
// New:     against any_axis, radices up to 25 in place of mixed passes through shared memory, for axes up to 10,000.
// Expect:  the traffic of a copy for each axis, as long as a block has eight lines.
// Limits:  any_axis's, and one axis without prime factors above 7, of two factors at least, that is no power of two from 8 on.
//          Across short lines blocks have few threads.
// Source:  Good 1958, "The interaction algorithm and practical Fourier analysis"; Govindaraju and others 2008, "High performance
//          discrete Fourier transforms on graphics processors".

#include "custom_kernels/fft_nd/detail/wide_lines.cuh"

namespace tandem {
namespace {

template <class C>
void wide_axes(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) { wide_or_any_lines(ctx, pass); });
}

std::string refuses(const FftNd::Shape& s, CaseId id) {
  const auto wide = [&](std::int64_t n) { return takes_wide_lines(n, size_of(id.type)); };
  const auto takes = [&](std::int64_t n) { return wide(n) || takes_any_lines(n); };
  return FftNd::points(s.extents) == 0 ||
                 (std::ranges::all_of(s.extents, takes) && std::ranges::any_of(s.extents, wide))
             ? ""
             : "needs an extent up to 10000, of doubles 5000, of two prime factors or more, "
               "none above 7, and no power of two from 8 on; the others as any_axis takes them";
}

REGISTER(FftNd, wide_axes, .note = "mixed axes by radices to 25, others as any_axis",
         .depth = levels_of_any_axes, .refuses = refuses)

}  // namespace
}  // namespace tandem
