// Wrong:   a system is cut into panels, and no panel hears of the next one's first unknown.
// Caught:  systems longer than a panel.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr std::int64_t kPanel = 256;

template <class C>
__global__ void panels_apart_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x, n = a.n;
  if (system >= a.count) return;
  for (std::int64_t first = 0; first < n; first += kPanel) {
    a.n = n - first < kPanel ? n - first : kPanel;
    thomas(a, system, above + system, a.count);
    a.lower += kPanel * a.matrix.row;
    a.diag += kPanel * a.matrix.row;
    a.upper += kPanel * a.matrix.row;
    a.rhs += kPanel * a.vector.row;
    a.x += kPanel * a.vector.row;
  }
}

template <class C>
void panels_apart(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, panels_apart_systems<C>, a,
         ctx.scratch<typename C::T>(a.unknowns()));
}

REGISTER(Tridiagonal, panels_apart, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
