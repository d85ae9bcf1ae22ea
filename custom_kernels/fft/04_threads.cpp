// Idea:    rows are independent, so threads share them; of few long ones they share the columns, then the rows, of each as a matrix.
// New:     against lanes, all cores.
// Expect:  as many times its speed as there are cores, until the memory is busy.
// Limits:  one thread takes as many rows as there are lanes, so that up to that many may run on one; and a single row of fewer than
//          32,768 numbers, or that is no matrix.

#include "custom_kernels/fft/detail/threads.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const RowTransform<T> transform(ctx, a.n, a.batch, RowWay::in_lanes);
  constexpr std::int64_t kLong = 1 << 15;  // numbers of a row that is worth more than one thread
  if (transform.as_matrix() && a.n >= kLong && a.batch < most_workers())
    return share_parts_of_rows(ctx, a, transform.matrix());
  share_rows<T>(
      ctx, a.n, a.batch, transform.together(), transform.scratch(),
      [&](std::int64_t row, std::int64_t rows, Complex<T>* scratch) { transform(a, row, rows, scratch); });
}

REGISTER(Fft, threads, .note = "rows shared out among the threads", .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
