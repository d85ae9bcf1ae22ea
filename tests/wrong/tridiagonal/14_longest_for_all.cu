// Wrong:   every system of a list is taken to be as long as the longest.
// Caught:  lists of different lengths: rows of the next system are taken for its own.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void longest_for_all_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system >= a.count) return;
  const std::int64_t first = a.offsets[system];
  a.offsets = nullptr;
  a.matrix.system = a.vector.system = 0;
  a.lower += first;
  a.diag += first;
  a.upper += first;
  a.rhs += first;
  a.x += first;
  if (first + a.n > a.rows) a.n = a.rows - first;
  thomas(a, system, above + first, 1);
}

template <class C>
void longest_for_all(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, longest_for_all_systems<C>, a,
         ctx.scratch<typename C::T>(a.unknowns()));
}

REGISTER(
    Tridiagonal, longest_for_all, .note = "wrong on purpose",
    .refuses = [](const Tridiagonal::Shape& shape, CaseId id) {
      return shape.list ? Tridiagonal::refuse_pivot(shape, id) : "for lists only";
    })

}  // namespace
}  // namespace tandem
