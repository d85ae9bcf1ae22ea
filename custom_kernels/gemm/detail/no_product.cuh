#pragma once
// C = βC, for steps whose kernels want at least one product (13, 15).

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {

template <class C>
__global__ void without_product_block(typename C::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (id < g.m * g.n) C::update(g.c[id / g.n * g.ldc + id % g.n], 0, g.alpha, g.beta);
}

template <class C>
void without_product(const typename C::Args& g, Context& ctx) {
  constexpr int kThreads = 256;
  launch(ctx, ceil_div(g.m * g.n, kThreads), kThreads, 0, without_product_block<C>, g);
}

}  // namespace tandem
