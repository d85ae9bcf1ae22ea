// Wrong:   f64 is computed in f32.
// Caught:  error bounds follow the type.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void low_precision_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  using T = typename C::T;
  using Low = std::conditional_t<std::is_same_v<T, double>, float, T>;
  if (i < a.n) {
    a.out[i] = static_cast<T>(
        Transform::Case<Low, typename C::F>::apply(a.f, [&](int k) { return static_cast<Low>(a.in[k][i]); }));
  }
}

template <class C>
void low_precision(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, low_precision_block<C>, a);
}

REGISTER(Transform, low_precision, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
