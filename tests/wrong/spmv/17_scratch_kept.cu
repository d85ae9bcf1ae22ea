// Wrong:   adds products of an element each to the row's sum in scratch, which it does not clear.
// Caught:  scratch is poisoned, or holds what another call left.

#include "lib/ops/spmv/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class C>
__global__ void add_products(typename C::Args a, typename C::T* sums) {
  const std::int64_t r = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (r >= a.rows.count) return;
  for (std::int64_t k = a.rows.begin(r); k < a.rows.end(r); ++k) sums[r] += a.product(k);
  a.store(r, sums[r]);
}

template <class C>
void scratch_kept(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows.count, kThreads), kThreads, 0, add_products<C>, a,
         ctx.scratch<typename C::T>(a.rows.count));
}

REGISTER(Spmv, scratch_kept, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
