// Idea:    a loop of passes instead of a recursion. Each pass makes n/R transforms of R numbers in registers and writes them
//          where the next one reads on (Stockham); radices are 8, 4, 2, 3, 5 and 7. A length with other prime factors is a
//          convolution of a power of two (Bluestein).
// New:     against recursive, any length; a radix of 8 goes through memory once where radix 2 does three times.
// Expect:  log8(n) passes over two buffers of a row, which stay in a cache up to some 10,000 numbers.
// Limits:  one core, one row at a time, no vectors. A convolution costs about six times a transform of a power of two of this
//          length.
// Source:  Cochran and others 1967, "What is the fast Fourier transform?", for Stockham's order; Bluestein 1970, "A linear
//          filtering approach to the computation of discrete Fourier transform".

#include "custom_kernels/fft/detail/row.h"

namespace tandem {
namespace {

template <class C>
void stockham_rows(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const RowTransform<T> transform(ctx, a.n, 1, RowWay::one_by_one);
  auto* scratch = ctx.scratch<Complex<T>>(transform.scratch());
  for (std::int64_t row = 0; row < a.batch; ++row) transform(a, row, 1, scratch);
}

REGISTER(Fft, stockham_rows, .note = "passes of radix 8, 4, 2, 3, 5, 7; other lengths by convolution",
         .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
