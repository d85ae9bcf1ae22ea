// Wrong:   a warp for each row, four columns for each of its lanes, and no second warp for more than 128.
// Caught:  wider matrices.

#include "lib/ops/spmm/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void first_columns_row(typename C::Args a) {
  for (int c = 0; c < 4; ++c) {
    const int j = c * kWarp + int(threadIdx.x);
    if (j >= a.width) return;
    typename C::T sum = 0;
    for (std::int64_t k = a.rows.begin(blockIdx.x); k < a.rows.end(blockIdx.x); ++k) sum += a.product(k, j);
    a.store(blockIdx.x, j, sum);
  }
}

template <class C>
void first_columns_alone(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.rows.count, kWarp, 0, first_columns_row<C>, a);
}

REGISTER(Spmm, first_columns_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
