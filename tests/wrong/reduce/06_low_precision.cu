// Wrong:   f64 is accumulated in f32.
// Caught:  error bounds follow the type: γ_depth · Σ|x| with the ε of f64.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C, class In>
__global__ void low_precision_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  using Low = std::conditional_t<std::is_same_v<typename C::Acc, double>, float, typename C::Acc>;
  __shared__ Shared<Low, kThreads> tile;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t;
  tile[t] = i < n ? static_cast<Low>(C::load(in[i])) : Op::template identity<Low>();
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void low_precision(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, low_precision_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, low_precision, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
