// Wrong:   solves systems of doubles in floats.
// Caught:  the residual of f64.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void low_precision_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system >= a.count) return;
  thomas(a, system, above + system, a.count);
  for (std::int64_t i = 0; i < a.n; ++i) {
    auto& x = a.x[a.start(a.vector, system) + i * a.vector.row];
    x = static_cast<float>(x);
  }
}

template <class C>
void low_precision(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, low_precision_systems<C>, a, above);
}

REGISTER(Tridiagonal, low_precision, .note = "wrong on purpose",
         .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
