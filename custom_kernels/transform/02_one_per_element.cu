// Idea:    one thread per element; the grid covers the array.
// Expect:  neighbouring threads read neighbouring elements, so every access of a warp is whole lines of 128
//          bytes. A thread has one load per input in flight and then ends; the speed follows from how many
//          threads a multiprocessor holds: 2,048 × 4 bytes × inputs. By Little's law that is short of
//          bandwidth × latency for one input of 4 bytes, and enough for several or for 8 bytes.
// Limits:  a block starts, computes its index, and ends for every 256 elements.
// Source:  CUDA C++ programming guide, chapter 2 (vector addition).

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void one_per_element_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < a.n) a.out[i] = C::at(a, i);
}

template <class C>
void one_per_element(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, one_per_element_block<C>, a);
}

REGISTER(Transform, one_per_element, .note = "one thread per element")

}  // namespace
}  // namespace tandem
