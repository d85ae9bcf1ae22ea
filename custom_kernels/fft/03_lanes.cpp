// Idea:    as many rows as a vector has lanes go through the passes together, each in a lane of its own.
// New:     against stockham, vectors of 32 bytes, without a shuffle in any pass: a root is the same for all lanes.
// Expect:  several times stockham's speed, as the rows' numbers change sides once when they are loaded and once when they are
//          stored.
// Limits:  two rows at least, of up to 16,384 floats or 32,768 doubles, that all lanes' stay in a cache; others go one by one.
//          One core. Vectors of 32 bytes where there is AVX2.
// Source:  Franchetti, Püschel 2003, "Short vector code generation for the discrete Fourier transform".

#include "custom_kernels/fft/detail/row.h"

namespace tandem {
namespace {

template <class C>
void lanes(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const RowTransform<T> transform(ctx, a.n);
  const std::int64_t together = transform.together(a.batch);
  auto* scratch = ctx.scratch<Complex<T>>(transform.scratch(together));
  for (std::int64_t row = 0; row < a.batch; row += together)
    transform(a, row, std::min(together, a.batch - row), scratch);
}

REGISTER(Fft, lanes, .note = "a row in each lane of vectors", .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
