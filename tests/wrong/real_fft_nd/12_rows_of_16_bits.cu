// Wrong:   the number of a row is computed in a signed number of 16 bits.
// Caught:  32,800 grids.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/real_fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class Way, class T>
__global__ void rows_of_16_bits_result(const Way way, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, results = way.results();
  if (i >= results * way.batch) return;
  const auto row = static_cast<std::int16_t>(i / results);
  if (row >= 0) way.store(row, i % results, by_definition(way, row, i % results, roots));
}

template <class C>
void rows_of_16_bits(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const PlainWay way(rows_of(a, a.in, a.from, a.out, a.to, a.factor));
  launch(ctx, ceil_div(way.results() * way.batch, 256), 256, 0,
         rows_of_16_bits_result<std::remove_const_t<decltype(way)>, T>, way, roots<T>(ctx, way.n));
}

REGISTER(
    RealFftNd, rows_of_16_bits, .note = "wrong on purpose",
    .refuses = [](const RealFftNd::Shape& s, CaseId) -> std::string {
      return s.in_place || s.extents[0] * s.extents[1] > 1 || s.extents[2] > 64
                 ? "short rows out of place only"
                 : "";
    })

}  // namespace
}  // namespace tandem
