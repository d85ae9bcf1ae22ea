// Wrong:   a row is split before all threads have stored what it is split from.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/real_fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class Way, class T>
__global__ void missing_barrier_row(const Way way, const Complex<T>* roots) {
  const std::int64_t row = blockIdx.x;
  const SharedPart<T> z{0};
  for (std::int64_t k = threadIdx.x; k < way.n; k += kThreads)
    z[static_cast<int>(k)] = by_definition(way, row, k, roots);
  for (std::int64_t k = threadIdx.x; k < way.pairs(); k += kThreads) way.split(row, k, z);
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const PackedWay way(rows_of(a, a.in, a.from, a.out, a.to, a.factor), roots<T>(ctx, a.extents[2]));
  launch(ctx, way.batch, kThreads, static_cast<std::size_t>(way.n) * sizeof(Complex<T>),
         missing_barrier_row<std::remove_const_t<decltype(way)>, T>, way, roots<T>(ctx, way.n));
}

REGISTER(
    RealFftNd, missing_barrier, .note = "wrong on purpose",
    .refuses = [](const RealFftNd::Shape& s, CaseId) -> std::string {
      const bool one_axis = s.extents[0] * s.extents[1] == 1;
      return s.inverse || s.in_place || !one_axis || s.extents[2] % 2 != 0 || s.extents[2] > 1024
                 ? "short even rows forward only"
                 : "";
    })

}  // namespace
}  // namespace tandem
