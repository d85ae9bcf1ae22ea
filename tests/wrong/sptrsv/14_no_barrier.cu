// Wrong:   a block goes from level to level without a barrier.
// Caught:  the executor watches races, and runs threads in other orders, too.

#include "custom_kernels/sptrsv/detail/row.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class C>
__global__ void unawaited_levels(typename C::Args a) {
  for (std::int64_t level = 0; level < a.levels; ++level) {
    for (std::int64_t i = a.kernels_begins[level] + threadIdx.x; i < a.kernels_begins[level + 1];
         i += kThreads)
      solve_row(a, a.order[i]);
  }
}

template <class C>
void no_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, kThreads, 0, unawaited_levels<C>, a);
}

REGISTER(Sptrsv, no_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
