// Idea:    each line is gathered, goes through fft's passes, and is scattered.
// New:     against serial, n log2(n) operations for a line.
// Expect:  fft's stockham along the axis without a stride. Along others each number is a cache line of its own, read and written
//          for 8 or 16 of its 64 bytes: where a sheet leaves the cache, several times the traffic.
// Limits:  one core, no vectors; cache lines are used in part.
// Source:  Cochran and others 1967, "What is the fast Fourier transform?".

#include "custom_kernels/fft_nd/detail/sheets.h"

namespace tandem {
namespace {

template <class C>
void lines(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) { transform_groups(ctx, pass, RowWay::one_by_one); });
}

REGISTER(FftNd, lines, .note = "one axis after the other, line by line",
         .depth = FftNd::levels_or_convolution)

}  // namespace
}  // namespace tandem
