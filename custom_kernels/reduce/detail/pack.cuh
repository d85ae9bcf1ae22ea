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

}  // namespace tandem
