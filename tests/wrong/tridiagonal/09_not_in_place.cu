// Wrong:   clears the solution before it reads the right-hand side.
// Caught:  x = rhs.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void not_in_place_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system >= a.count) return;
  for (std::int64_t i = 0; i < a.n; ++i) a.x[a.start(a.vector, system) + i * a.vector.row] = 0;
  thomas(a, system, above + system, a.count);
}

template <class C>
void not_in_place(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, not_in_place_systems<C>, a, above);
}

REGISTER(Tridiagonal, not_in_place, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
