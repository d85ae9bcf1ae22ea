// Wrong:   four warps of a block add up a quarter of a row each, and each of them adds β·y.
// Caught:  β other than 0.

#include "lib/ops/spmv/contract.h"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kParts = 4, kThreads = kParts * kWarp;

template <class C>
__global__ void beta_in_each_part_row(typename C::Args a) {
  using T = typename C::T;
  __shared__ Shared<T, kParts> parts;
  const std::int64_t r = blockIdx.x;
  T sum = 0;
  for (std::int64_t k = a.rows.begin(r) + threadIdx.x; k < a.rows.end(r); k += kThreads) sum += a.product(k);
  sum = warp_reduce<Plus>(sum);
  if (threadIdx.x % kWarp == 0)
    parts[threadIdx.x / kWarp] = a.alpha * sum + (a.beta == T(0) ? T(0) : a.beta * a.y[r]);
  __syncthreads();
  if (threadIdx.x == 0) a.y[r] = (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

template <class C>
void beta_in_each_part(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.rows.count, kThreads, 0, beta_in_each_part_row<C>, a);
}

REGISTER(Spmv, beta_in_each_part, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
