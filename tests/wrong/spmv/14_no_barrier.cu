// Wrong:   thread 0 of a block reads what the others put into shared memory before they did.
// Caught:  the executor watches races, and runs threads in other orders, too.

#include "lib/ops/spmv/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class C>
__global__ void no_barrier_row(typename C::Args a) {
  __shared__ Shared<typename C::T, kThreads> sums;
  const std::int64_t r = blockIdx.x;
  typename C::T sum = 0;
  for (std::int64_t k = a.rows.begin(r) + threadIdx.x; k < a.rows.end(r); k += kThreads) sum += a.product(k);
  sums[threadIdx.x] = sum;
  if (threadIdx.x > 0) return;
  for (int t = 1; t < kThreads; ++t) sum += sums[t];
  a.store(r, sum);
}

template <class C>
void no_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.rows.count, kThreads, 0, no_barrier_row<C>, a);
}

REGISTER(Spmv, no_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
