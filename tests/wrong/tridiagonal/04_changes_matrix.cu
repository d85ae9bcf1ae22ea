// Wrong:   keeps c' in the upper diagonal, as textbooks do.
// Caught:  inputs are compared after every run.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void changes_matrix_systems(typename C::Args a, typename C::T*) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system < a.count)
    thomas(a, system, const_cast<typename C::T*>(a.upper) + a.start(a.matrix, system), a.matrix.row);
}

template <class C>
void changes_matrix(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, changes_matrix_systems<C>, a, above);
}

REGISTER(Tridiagonal, changes_matrix, .note = "wrong on purpose",
         .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
