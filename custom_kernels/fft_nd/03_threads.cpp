// Idea:    lines of an axis are independent, so threads share them; axes wait for each other.
// New:     against lanes, all cores.
// Expect:  as many times its speed as there are cores, until the memory is busy.
// Limits:  a grid of one axis runs on one thread.

#include "custom_kernels/fft_nd/detail/sheets.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) { share_groups(ctx, pass); });
}

REGISTER(FftNd, threads, .note = "neighbouring lines shared out among the threads",
         .depth = FftNd::levels_or_convolution)

}  // namespace
}  // namespace tandem
