// Idea:    rows are independent, so threads share them.
// New:     against lanes, all cores.
// Expect:  as many times its speed as there are cores, until the memory is busy.
// Limits:  a single row runs on one thread.

#include "custom_kernels/fft/detail/threads.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const RowTransform<T> transform(ctx, a.n);
  const std::int64_t together = transform.together(a.batch);
  share_rows<T>(
      ctx, a.n, a.batch, together, transform.scratch(together),
      [&](std::int64_t row, std::int64_t rows, Complex<T>* scratch) { transform(a, row, rows, scratch); });
}

REGISTER(Fft, threads, .note = "rows shared out among the threads", .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
