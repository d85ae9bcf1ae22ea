// Idea:    as many blocks as run at once, each thread going through the array in strides of the whole grid,
//          16 bytes per access.
// New:     against one_per_element, a quarter of the instructions for 4-byte elements, four times the bytes
//          in flight per thread, and no blocks that start and end all the time.
// Expect:  more bytes in flight than latency × bandwidth asks for, also with one input.
// Limits:  blocks drift apart, so that the parts of the array in work at one time lie scattered over its
//          whole length, where the memory would rather stay in the rows that it has open. Arrays whose
//          alignments differ go element by element.
// Source:  Harris 2013, "CUDA pro tip: write flexible kernels with grid-stride loops"; Luitjens 2013, "CUDA
//          pro tip: increase performance with vectorized memory access".

#include <algorithm>

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

/// Results in packs from element `head` on, where all arrays are aligned; the rest one by one.
template <class C>
__global__ void __launch_bounds__(kThreads) grid_stride_blocks(typename C::Args a, std::int64_t head) {
  using Pack = Pack<typename C::T>;
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads;
  const std::int64_t packs = (a.n - head) / Pack::kSize;
  for (std::int64_t p = thread; p < packs; p += threads) {
    const std::int64_t i = head + p * Pack::kSize;
    Pack in[C::kInputs], out;
#pragma unroll
    for (int k = 0; k < C::kInputs; ++k) in[k] = *reinterpret_cast<const Pack*>(a.in[k] + i);
#pragma unroll
    for (int e = 0; e < Pack::kSize; ++e)
      out.values[e] = C::apply(a.f, [&](int k) { return in[k].values[e]; });
    *reinterpret_cast<Pack*>(a.out + i) = out;
  }
  for (std::int64_t i = thread; i < head; i += threads) a.out[i] = C::at(a, i);
  for (std::int64_t i = head + packs * Pack::kSize + thread; i < a.n; i += threads) a.out[i] = C::at(a, i);
}

template <class C>
void grid_stride(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kThreads, 0, grid_stride_blocks<C>);
  const std::int64_t wave = std::int64_t{per_multiprocessor} * ctx.multiprocessors();
  std::int64_t head = unaligned_head(a.out, a.n);
  for (const T* in : a.in) {
    if (unaligned_head(in, a.n) != head) head = a.n;  // no packs
  }
  const std::int64_t blocks = std::min(wave, ceil_div(a.n, kThreads * Pack<T>::kSize));
  launch(ctx, blocks, kThreads, 0, grid_stride_blocks<C>, a, head);
}

REGISTER(Transform, grid_stride, .note = "one wave of blocks, 16 bytes per access")

}  // namespace
}  // namespace tandem
