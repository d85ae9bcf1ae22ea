#pragma once
// What the steps that load 16 bytes at once share.

#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {

/// op over the elements of one pack, pairwise.
template <class C>
__device__ typename C::Acc reduce_pack(const Pack<typename C::T>& pack) {
  constexpr int kSize = Pack<typename C::T>::kSize;
  typename C::Acc values[kSize];
#pragma unroll
  for (int k = 0; k < kSize; ++k) values[k] = C::load(pack.values[k]);
#pragma unroll
  for (int stride = 1; stride < kSize; stride *= 2) {
#pragma unroll
    for (int k = 0; k < kSize; k += 2 * stride) values[k] = typename C::Op{}(values[k], values[k + stride]);
  }
  return values[0];
}

/// An array as a grid reads it: `head` elements, then packs, of which each thread reads kUnroll in each of
/// `rounds` rounds and then up to kUnroll more, then fewer elements than a pack has. The host divides.
template <class T, int kUnroll>
struct Parts {
  std::int64_t head, packs, rounds;
  Parts(const T* in, std::int64_t n, std::int64_t threads)
      : head(unaligned_head(in, n)),
        packs((n - head) / Pack<T>::kSize),
        rounds(packs / (threads * kUnroll)) {}
};

/// Called by all threads of a grid of blocks of kThreads: op over a thread's own elements, kUnroll packs of
/// which are on their way at once.
template <class C, int kThreads, int kUnroll>
__device__ typename C::Acc reduce_own(const typename C::T* in, std::int64_t n,
                                      const Parts<typename C::T, kUnroll>& parts) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  const auto* data = reinterpret_cast<const Pack<T>*>(in + parts.head);
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads;
  Acc sums[kUnroll];
#pragma unroll
  for (Acc& sum : sums) sum = Op::template identity<Acc>();
  Pack<T> loaded[kUnroll];
  // In each round a block reads kUnroll x kThreads neighbouring packs.
  std::int64_t i = std::int64_t(blockIdx.x) * kThreads * kUnroll + threadIdx.x;
  for (std::int64_t round = 0; round < parts.rounds; ++round, i += threads * kUnroll) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) loaded[u] = data[i + u * kThreads];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) sums[u] = Op{}(sums[u], reduce_pack<C>(loaded[u]));
  }
  i = parts.rounds * threads * kUnroll + thread;
  if (i < parts.packs) {
    // Packs behind the end are the last one again: a load that nothing decides about waits for no other.
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) loaded[u] = data[min(i + u * threads, parts.packs - 1)];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (i + u * threads < parts.packs) sums[u] = Op{}(sums[u], reduce_pack<C>(loaded[u]));
    }
  }
  if (thread < parts.head) sums[1] = Op{}(sums[1], C::load(in[thread]));
  const std::int64_t behind = parts.head + parts.packs * Pack<T>::kSize + thread;
  if (behind < n) sums[2] = Op{}(sums[2], C::load(in[behind]));
#pragma unroll
  for (int stride = 1; stride < kUnroll; stride *= 2) {
#pragma unroll
    for (int u = 0; u < kUnroll; u += 2 * stride) sums[u] = Op{}(sums[u], sums[u + stride]);
  }
  return sums[0];
}

}  // namespace tandem
