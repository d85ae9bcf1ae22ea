// Wrong:   two threads write a result, one of them past the end of the output.
// Caught:  the guard zone after the output must stay unchanged.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C, class In>
__global__ void writes_past_end_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
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
  if (t < 2) partial[blockIdx.x + t] = tile[0];
}

template <class C>
void writes_past_end(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, writes_past_end_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, writes_past_end, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
