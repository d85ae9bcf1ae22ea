// Wrong:   the number of a line is computed in a signed number of 16 bits.
// Caught:  32,800 grids.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class T>
__global__ void lines_of_16_bits_result(const AllLines<T> lines, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= lines.n * lines.batch) return;
  const auto line = static_cast<std::int16_t>(i / lines.n);
  if (line >= 0) lines.store(line, i % lines.n, by_definition(lines, line, i % lines.n, roots));
}

template <class C>
void lines_of_16_bits(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const AllLines<T> lines(pass_along(a, 2, a.in, a.from, a.out, a.to, a.factor));
  launch(ctx, ceil_div(lines.n * lines.batch, 256), 256, 0, lines_of_16_bits_result<T>, lines,
         roots<T>(ctx, lines.n));
}

REGISTER(
    FftNd, lines_of_16_bits, .note = "wrong on purpose",
    .refuses = [](const FftNd::Shape& s, CaseId) -> std::string {
      return s.in_place || s.extents[0] * s.extents[1] > 1 || s.extents[2] > 64
                 ? "short lines out of place only"
                 : "";
    })

}  // namespace
}  // namespace tandem
