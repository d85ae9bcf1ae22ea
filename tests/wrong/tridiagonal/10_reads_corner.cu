// Wrong:   multiplies the lower diagonal's first element by an unknown that it takes to be 0.
// Caught:  a NaN there.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void reads_corner_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system >= a.count) return;
  thomas(a, system, above + system, a.count);
  a.x[a.start(a.vector, system)] -= 0 * a.lower[a.start(a.matrix, system)];
}

template <class C>
void reads_corner(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, reads_corner_systems<C>, a, above);
}

REGISTER(Tridiagonal, reads_corner, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
