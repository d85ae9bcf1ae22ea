// Wrong:   takes the matrix of the first system for all.
// Caught:  batches whose matrices differ.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void first_matrix_for_all_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  a.matrix.system = a.matrix.block = 0;
  if (system < a.count) thomas(a, system, above + system, a.count);
}

template <class C>
void first_matrix_for_all(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, first_matrix_for_all_systems<C>, a, above);
}

REGISTER(Tridiagonal, first_matrix_for_all, .note = "wrong on purpose",
         .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
