// Wrong:   solves the rows of all levels in one launch, and nobody waits.
// Caught:  rows that need others; the executor watches races.

#include "custom_kernels/sptrsv/detail/row.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class C>
__global__ void all_rows(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < a.rows) solve_row(a, a.order[i]);
}

template <class C>
void levels_together(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kThreads), kThreads, 0, all_rows<C>, a);
}

REGISTER(Sptrsv, levels_together, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
