// Idea:    as many neighbouring lines as a vector has lanes go through the passes together, each in a lane of its own.
// New:     against lines, along an axis with a stride 64 bytes lie side by side: whole cache lines are read and written, and
//          nothing is transposed. And vectors, without a shuffle in any pass.
// Expect:  the traffic of a copy for each axis.
// Limits:  neighbours that do not fill the lanes go number by number, half as many as lanes and fewer one by one, each as a matrix
//          (fft's lanes), and so do lines of more than 16,384 floats or 32,768 doubles. One core.
// Source:  Franchetti, Püschel 2003, "Short vector code generation for the discrete Fourier transform".

#include "custom_kernels/fft_nd/detail/sheets.h"

namespace tandem {
namespace {

template <class C>
void lanes(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) { transform_groups(ctx, pass, RowWay::in_lanes); });
}

REGISTER(FftNd, lanes, .note = "neighbouring lines in the lanes of vectors",
         .depth = FftNd::levels_or_convolution)

}  // namespace
}  // namespace tandem
