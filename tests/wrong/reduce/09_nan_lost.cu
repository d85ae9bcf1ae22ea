// Wrong:   minimum and maximum by a plain comparison, which is false for a NaN.
// Caught:  inputs with NaN; results are compared by class (NaN, infinite, finite) first.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C, class In>
__global__ void nan_lost_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t;
  tile[t] = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();
  const auto apply = [](typename C::Acc a, typename C::Acc b) {
    if constexpr (Op::id == OperatorId::minimum)
      return b < a ? b : a == a ? a : b;
    else if constexpr (Op::id == OperatorId::maximum)
      return b > a ? b : a == a ? a : b;
    else
      return Op{}(a, b);
  };
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = apply(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void nan_lost(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, nan_lost_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, nan_lost, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
