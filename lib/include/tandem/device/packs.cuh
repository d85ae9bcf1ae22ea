#pragma once
// A block's share of the elements, in loads of 16 bytes, of which a thread may have several on their way at once.

#include "tandem/device/vector_access.cuh"

namespace tandem {

constexpr int kPacksAtOnce = 2;  // of a thread, on their way, unless a kernel says otherwise

/// Calls f(x) for each element that this thread of block `block` of `blocks` takes; those of a pack are neighbours.
template <int kThreads, int kAtOnce = kPacksAtOnce, class T, class F>
__device__ void for_each_packed(const T* in, std::int64_t n, std::int64_t block, std::int64_t blocks, F f) {
  constexpr int kPack = Pack<T>::kSize, kTile = kThreads * kAtOnce;
  const std::int64_t head = unaligned_head(in, n), packs = (n - head) / kPack;
  for (std::int64_t first = block * kTile + threadIdx.x; first < packs; first += blocks * kTile) {
    Pack<T> loaded[kAtOnce];
#pragma unroll
    for (int r = 0; r < kAtOnce; ++r) {
      const std::int64_t p = first + r * kThreads;
      if (p < packs) loaded[r] = *reinterpret_cast<const Pack<T>*>(in + head + p * kPack);
    }
#pragma unroll
    for (int r = 0; r < kAtOnce; ++r) {
      if (first + r * kThreads >= packs) break;
#pragma unroll
      for (int k = 0; k < kPack; ++k) f(loaded[r].values[k]);
    }
  }
  // What lies before the first boundary and behind the last pack: fewer than two packs.
  if (block > 0) return;
  for (std::int64_t i = threadIdx.x; i < n - packs * kPack; i += kThreads)
    f(in[i < head ? i : i + packs * kPack]);
}

}  // namespace tandem
