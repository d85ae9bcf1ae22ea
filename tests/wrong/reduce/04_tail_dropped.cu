// Wrong:   the number of tiles is rounded down, so the partial last tile is dropped.
// Caught:  sizes just below and above each multiple of the tile.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C, class In>
__global__ void tail_dropped_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t;
  tile[t] = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void tail_dropped(const typename C::Args& a, Context& ctx) {
  typename C::Args whole = a;
  if (a.n > kThreads) whole.n = a.n / kThreads * kThreads;
  reduce_in_levels<C>(
      whole, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, tail_dropped_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, tail_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
