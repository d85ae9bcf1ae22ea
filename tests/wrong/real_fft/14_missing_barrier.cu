// Wrong:   a row is split before all threads have stored what it is split from.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"

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
  using Way = PackedWay<typename C::Args>;
  const Way way(a, roots<T>(ctx, a.n));
  launch(ctx, a.batch, kThreads, static_cast<std::size_t>(way.n) * sizeof(Complex<T>),
         missing_barrier_row<Way, T>, way, roots<T>(ctx, way.n));
}

REGISTER(
    RealFft, missing_barrier, .note = "wrong on purpose",
    .refuses = [](const RealFft::Shape& s, CaseId) -> std::string {
      return s.inverse || s.in_place || s.n % 2 != 0 || s.n > 1024 ? "short even rows forward only" : "";
    })

}  // namespace
}  // namespace tandem
