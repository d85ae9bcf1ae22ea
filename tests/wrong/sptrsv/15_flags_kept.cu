// Wrong:   tells that a row is solved by a flag in state, which no call clears.
// Caught:  calls after the first: a row finds the flags of the one before, and x that is not there yet.

#include "custom_kernels/sptrsv/detail/row.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 32;

template <class C>
__global__ void flagged_rows(typename C::Args a, std::uint64_t* solved) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.rows) return;
  const std::int64_t r = a.order[i];
  for (std::int64_t k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
    const std::int64_t j = a.columns[k];
    if (a.needs(r, j)) spin_until([&] { return load_relaxed(&solved[j]) != 0; });
  }
  __threadfence();
  solve_row(a, r);
  __threadfence();
  store_relaxed(&solved[r], 1);
}

template <class C>
void flags_kept(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kThreads), kThreads, 0, flagged_rows<C>, a,
         ctx.state<std::uint64_t>("wrong/sptrsv", a.rows));
}

REGISTER(Sptrsv, flags_kept, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
