#pragma once
// What kernels do with neighbouring elements: lanes read them side by side, and what lanes have is combined.

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/device/vector_access.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {

/// op over an array of registers, pairwise.
template <class Op, int kCount, class T>
__device__ accumulator_t<T> reduce_registers(const T (&values)[kCount]) {
  accumulator_t<T> sums[kCount];
#pragma unroll
  for (int k = 0; k < kCount; ++k) sums[k] = static_cast<accumulator_t<T>>(values[k]);
#pragma unroll
  for (int stride = 1; stride < kCount; stride *= 2) {
#pragma unroll
    for (int k = 0; k + stride < kCount; k += 2 * stride) sums[k] = Op{}(sums[k], sums[k + stride]);
  }
  return sums[0];
}

/// Lane `lane` of `lanes` gets op over its own of n elements from `data` on: 16 bytes at once, four loads on their way, but
/// for what lies before the first 16-byte boundary and behind the last.
template <class C>
__device__ typename C::Acc reduce_own(const typename C::T* data, std::int64_t n, int lane, int lanes) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  constexpr int kPack = Pack<T>::kSize, kUnroll = 4;
  const std::int64_t head = unaligned_head(data, n), packs = (n - head) / kPack;
  const auto* const whole = reinterpret_cast<const Pack<T>*>(data + head);
  Acc sums[kUnroll];
#pragma unroll
  for (Acc& sum : sums) sum = Op::template identity<Acc>();
  std::int64_t i = lane;
  for (; i + (kUnroll - 1) * lanes < packs; i += kUnroll * lanes) {
    Pack<T> loaded[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) loaded[u] = whole[i + u * lanes];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) sums[u] = Op{}(sums[u], reduce_registers<Op>(loaded[u].values));
  }
  for (; i < packs; i += lanes) {
    const Pack<T> loaded = whole[i];
    sums[0] = Op{}(sums[0], reduce_registers<Op>(loaded.values));
  }
  for (i = lane; i < head; i += lanes) sums[1] = Op{}(sums[1], C::load(data[i]));
  for (i = head + packs * kPack + lane; i < n; i += lanes) sums[2] = Op{}(sums[2], C::load(data[i]));
  return reduce_registers<Op>(sums);
}

/// Called by a warp, of which each `lanes` neighbours (a power of two) belong together: the first of them gets op over what
/// they have.
template <class Op, class T>
__device__ T reduce_lanes(T value, int lanes) {
  for (int distance = 1; distance < lanes; distance *= 2) value = Op{}(value, shuffle_down(value, distance));
  return value;
}

}  // namespace tandem
