// Wrong:   takes matrices that need an exchange of rows, and makes none.
// Caught:  LAPACK's matrices 2 to 7: the residual, or a pivot of zero that is none.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void pivot_ignored_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system < a.count) thomas(a, system, above + system, a.count);
}

template <class C>
void pivot_ignored(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, pivot_ignored_systems<C>, a, above);
}

REGISTER(Tridiagonal, pivot_ignored, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
