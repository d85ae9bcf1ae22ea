// Idea:    a launch for each axis: blocks take some lines into shared memory, make fft's mixed passes there, and write them where
//          they were. Neighbouring lanes take neighbours in memory: numbers of a line along the axis without a stride, lines along
//          others. The code is in detail/shared_lines.cuh, since any_axis has use for it.
// New:     against naive, n log2(n) operations for a line; axes after the first in place, without scratch.
// Expect:  the traffic of a copy for each axis, as long as a block has eight lines: up to 512 numbers.
// Limits:  extents up to 4,096 without prime factors above 7. Across lines of a power of two lanes meet in few banks.
// Source:  Govindaraju and others 2008, "High performance discrete Fourier transforms on graphics processors".

#include "custom_kernels/fft_nd/detail/shared_lines.cuh"

namespace tandem {
namespace {

template <class C>
void shared(const typename C::Args& a, Context& ctx) {
  for_each_axis(a, [&](const Pass<typename C::T>& pass) { shared_lines(ctx, pass); });
}

std::string refuses(const FftNd::Shape& s, CaseId) {
  return FftNd::points(s.extents) == 0 || std::ranges::all_of(s.extents, takes_shared_lines)
             ? ""
             : "takes extents up to 4096 without prime factors above 7";
}

REGISTER(FftNd, shared, .note = "radix 8, 4, 2, 3, 5, 7 in shared memory, a launch for each axis",
         .depth = FftNd::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
