// Idea:    rows are independent, and so are the lines of an axis: threads share them; passes wait for each other.
// New:     against lanes, all cores.
// Expect:  as many times its speed as there are cores, until the memory is busy.
// Limits:  a grid of one row runs on one thread.

#include "custom_kernels/fft_nd/detail/sheets.h"
#include "custom_kernels/real_fft/detail/rows.h"
#include "custom_kernels/real_fft_nd/detail/passes.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_pass(
      a, ctx, [&](const auto& rows) { share_real_rows(ctx, rows); },
      [&](const Pass<T>& lines) { share_groups(ctx, lines); });
}

REGISTER(RealFftNd, threads, .note = "pairs of real rows, then lines, shared out among the threads",
         .depth = RealFftNd::levels_or_convolution)

}  // namespace
}  // namespace tandem
