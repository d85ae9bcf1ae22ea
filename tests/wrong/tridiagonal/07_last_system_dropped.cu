// Wrong:   the last system is left out.
// Caught:  the poisoned solution, in batches of every size.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void last_system_dropped_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system + 1 < a.count) thomas(a, system, above + system, a.count);
}

template <class C>
void last_system_dropped(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, last_system_dropped_systems<C>, a, above);
}

REGISTER(Tridiagonal, last_system_dropped, .note = "wrong on purpose",
         .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
