// Wrong:   stores one element past the end of an array of the thread's own, where nothing reads it.
// Caught:  the executor looks at indices of such arrays, too.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256, kItems = 4;

template <class C>
__global__ void own_array_past_end_block(typename C::Args a) {
  const std::int64_t first = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) * kItems;
  typename C::T results[kItems];
  for (int k = 0; k <= kItems; ++k) {
    if (first + k < a.n) results[k] = C::at(a, first + k);
  }
  for (int k = 0; k < kItems; ++k) {
    if (first + k < a.n) a.out[first + k] = results[k];
  }
}

template <class C>
void own_array_past_end(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads * kItems), kThreads, 0, own_array_past_end_block<C>, a);
}

REGISTER(Transform, own_array_past_end, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
