// Idea:    rows are independent: each lane of a vector takes one, and threads share them.
// New:     against packed, vectors and all cores.
// Expect:  fft's threads at half the length, and the split, which is done row by row.
// Limits:  a single row runs on one thread.

#include "custom_kernels/real_fft/detail/rows.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  share_real_rows(ctx, a);
}

REGISTER(RealFft, threads, .note = "rows in lanes of vectors, shared out among the threads",
         .depth = RealFft::levels_or_convolution)

}  // namespace
}  // namespace tandem
