// Idea:    rows are independent: each lane of a vector takes one, and threads share them.
// New:     against packed, vectors and all cores.
// Expect:  fft's threads at half the length, and the split, which is done row by row.
// Limits:  a single row runs on one thread, without vectors.

#include "custom_kernels/fft/detail/threads.h"
#include "custom_kernels/real_fft/detail/rows.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const RealRows<C> transform(a, ctx);
  const std::int64_t together = transform.together();
  share_rows<T>(
      ctx, transform.length(), a.batch, together, transform.scratch(together),
      [&](std::int64_t row, std::int64_t rows, Complex<T>* scratch) { transform(row, rows, scratch); });
}

REGISTER(RealFft, threads, .note = "rows in lanes of vectors, shared out among the threads",
         .depth = RealFft::levels_or_convolution)

}  // namespace
}  // namespace tandem
