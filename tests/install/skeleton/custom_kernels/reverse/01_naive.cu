// Idea:    one thread per element.
// New:     against serial, as many elements at once as the GPU holds threads.
// Expect:  the bandwidth of a copy. The lanes of a warp write 32 neighbours upwards and read 32
//          neighbours downwards; which lane has which of them does not matter, so both accesses are whole
//          lines.
// Limits:  a block starts, computes its index, and ends for every 256 elements.
// Source:  CUDA C++ best practices guide, "Coalesced access to global memory".

#include "lib/ops/reverse/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void reverse_naive(const T* in, std::int64_t n, T* out) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, reverse_naive<typename C::T>, a.in, a.n, a.out);
}

REGISTER(Reverse, naive, .note = "one thread per element")

}  // namespace
}  // namespace tandem
