// Wrong:   takes the last unknown to be independent of the one before.
// Caught:  the residual of the last row.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void last_row_apart_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system >= a.count) return;
  const std::int64_t m = a.start(a.matrix, system), v = a.start(a.vector, system), last = a.n - 1;
  a.x[v + last * a.vector.row] = a.rhs[v + last * a.vector.row] / a.diag[m + last * a.matrix.row];
  a.n = last;
  if (last > 0) thomas(a, system, above + system, a.count);
}

template <class C>
void last_row_apart(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, last_row_apart_systems<C>, a, above);
}

REGISTER(Tridiagonal, last_row_apart, .note = "wrong on purpose",
         .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
