// Idea:    rows are independent: each lane of a vector takes one, and threads share them.
// New:     against serial, vectors and all cores.
// Expect:  half the speed of fft's threads, which go one way.
// Limits:  a single row runs on one thread.

#include "custom_kernels/convolve/detail/rows.h"
#include "custom_kernels/fft/detail/threads.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const ConvolveRows<C> convolve(a, ctx, RowWay::in_lanes);
  share_rows<T>(
      ctx, a.n, a.batch, convolve.together(), convolve.scratch(),
      [&](std::int64_t row, std::int64_t rows, Complex<T>* scratch) { convolve(row, rows, scratch); });
}

REGISTER(Convolve, threads, .note = "rows in lanes of vectors, shared out among the threads",
         .depth = Convolve::levels_or_convolution)

}  // namespace
}  // namespace tandem
