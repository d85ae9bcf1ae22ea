// Wrong:   takes neighbouring systems to follow each other without a gap.
// Caught:  layouts with gaps and sweeps along the middle axis.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void ignores_gaps_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t distance = a.vector.row == 1 ? a.n : 1;
  if (a.matrix.system != 0) a.matrix.system = distance;
  a.vector.system = distance;
  if (system < a.count) thomas(a, system, above + system, a.count);
}

template <class C>
void ignores_gaps(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, ignores_gaps_systems<C>, a, above);
}

REGISTER(Tridiagonal, ignores_gaps, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
