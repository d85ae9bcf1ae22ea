// Idea:    as many rows as a vector has lanes go through the passes together, each in a lane of its own.
// New:     against stockham, vectors of 32 bytes, without a shuffle in any pass: a root is the same for all lanes. Where a call
//          has few rows, or the lanes' would leave a cache, each is a matrix: transforms of its columns, neighbours in the lanes, a root
//          for each number, transforms of its rows. So a long row goes through the memory twice, not once for each pass.
// Expect:  several times stockham's speed. Numbers change sides in registers when they are loaded and when they are stored.
// Limits:  a long row that no divisor near the root of its length cuts goes through the passes by itself. One core.
//          Vectors of 32 bytes where there is AVX2.
// Source:  Franchetti, Püschel 2003, "Short vector code generation for the discrete Fourier transform"; Bailey 1990, "FFTs in external
//          or hierarchical memory", for the matrix.

#include "custom_kernels/fft/detail/row.h"

namespace tandem {
namespace {

template <class C>
void lanes(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const RowTransform<T> transform(ctx, a.n, a.batch, RowWay::in_lanes);
  const std::int64_t together = transform.together();
  auto* scratch = ctx.scratch<Complex<T>>(transform.scratch());
  for (std::int64_t row = 0; row < a.batch; row += together)
    transform(a, row, std::min(together, a.batch - row), scratch);
}

REGISTER(Fft, lanes, .note = "a row in each lane of vectors", .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
