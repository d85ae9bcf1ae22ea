// Wrong:   a single element is returned unchanged, so a logical result may be 5.
// Caught:  n = 1 among the sizes, and true operands other than 1.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C, class In>
__global__ void raw_logical_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t;
  tile[t] = i < n ? static_cast<typename C::Acc>(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride && i + stride < n) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void raw_logical(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, raw_logical_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, raw_logical, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
