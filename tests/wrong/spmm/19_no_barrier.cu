// Wrong:   lanes of a warp multiply by elements in shared memory that other lanes may not have put there yet.
// Caught:  the executor watches races, and runs lanes in other orders, too.

#include "lib/ops/spmm/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void no_barrier_row(typename C::Args a) {
  using T = typename C::T;
  __shared__ Shared<T, kWarp> values;
  const std::int64_t r = blockIdx.x;
  const int lane = threadIdx.x;
  for (std::int64_t j = lane; j < a.width + lane; j += kWarp) {
    T sum = 0;
    for (std::int64_t k = a.rows.begin(r), end = a.rows.end(r); k < end; k += kWarp) {
      const int count = int(min(end - k, std::int64_t(kWarp)));
      if (lane < count) values[lane] = a.values[k + lane];
      for (int i = 0; i < count; ++i) {
        if (j < a.width) sum += values[i] * a.b(a.columns[k + i], j);
      }
      __syncwarp();
    }
    if (j < a.width) a.store(r, j, sum);
  }
}

template <class C>
void no_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.rows.count, kWarp, 0, no_barrier_row<C>, a);
}

REGISTER(Spmm, no_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
