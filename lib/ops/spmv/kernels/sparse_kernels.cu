// Idea:    a thread for each turn of a loop: a bisection in sorted numbers, or a sum.
// Expect:  neighbouring threads look for neighbouring numbers, so all but the last loads of a bisection hit the caches; sums go
//          where numbers point, a sector each unless these are close together.
// Limits:  a thread has one load on its way.

#include "lib/dist/kernels/place.h"
#include "lib/ops/spmv/sparse_kernels.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Loop>
__global__ void each_turn(Loop loop, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) loop(i);
}

template <class Loop>
void run(Context& ctx, std::int64_t n, const Loop& loop) {
  const CallScope call(ctx, "sparse/custom/each_turn");
  launch(ctx, ceil_div(n, kThreads), kThreads, 0, each_turn<Loop>, loop, n);
}

const bool there = (sparse_kernels(kKernelPlace) = {run, run, run, run}, true);

}  // namespace
}  // namespace tandem
