// Idea:    rows as pairs of numbers (real_fft's packed), as many together as a vector has lanes; lines of the other axes likewise,
//          in place (fft_nd's lanes).
// New:     against serial, n log2(n) operations for a row or a line, and vectors.
// Expect:  half of fft_nd's time for the complex grid, and the split of each row.
// Limits:  neighbours that do not fill the lanes go number by number, half as many as lanes and fewer one by one, each as a matrix
//          (fft's lanes), and so do rows and lines of more than 16,384 floats or 32,768 doubles. Back it takes scratch, unless in place. One core.
// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
//          sine, cosine and Laplace transforms"; Franchetti, Püschel 2003, "Short vector code generation for the discrete Fourier
//          transform".

#include "custom_kernels/fft_nd/detail/sheets.h"
#include "custom_kernels/real_fft/detail/rows.h"
#include "custom_kernels/real_fft_nd/detail/passes.h"

namespace tandem {
namespace {

template <class C>
void lanes(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_pass(
      a, ctx,
      [&](const auto& rows) {
        const RealRows transform(rows, ctx, RowWay::in_lanes);
        const std::int64_t together = transform.together();
        auto* scratch = ctx.scratch<Complex<T>>(transform.scratch());
        for (std::int64_t row = 0; row < rows.batch; row += together)
          transform(row, std::min(together, rows.batch - row), scratch);
      },
      [&](const Pass<T>& lines) { transform_groups(ctx, lines, RowWay::in_lanes); });
}

REGISTER(RealFftNd, lanes, .note = "pairs of real rows, then lines, in the lanes of vectors",
         .depth = RealFftNd::levels_or_convolution)

}  // namespace
}  // namespace tandem
