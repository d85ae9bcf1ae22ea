#pragma once
// Several elements of a row on their way at once.

#include "lib/ops/spmv_sell/contract.h"
#include "tandem/device/vector_access.cuh"

namespace tandem {

inline constexpr int kElementsAhead = 4;

/// Adds the products of elements k, k + stride, …, of `count` but at most kElementsAhead, to a sum. The matrix is read past the
/// cache, which is left to x.
template <class Args, class T = decltype(Args::alpha)>
__device__ __forceinline__ void add_elements(const Args& a, std::int64_t k, std::int64_t stride,
                                             std::int64_t count, T& sum) {
  std::int32_t columns[kElementsAhead];
  T values[kElementsAhead], factors[kElementsAhead];
#pragma unroll
  for (int i = 0; i < kElementsAhead; ++i)
    columns[i] = i < count ? load_once(a.columns + k + i * stride) : -1;
#pragma unroll
  for (int i = 0; i < kElementsAhead; ++i)
    values[i] = i < count ? load_once(a.values + k + i * stride) : T(0);
#pragma unroll
  for (int i = 0; i < kElementsAhead; ++i) factors[i] = columns[i] < 0 ? T(0) : a.x[columns[i]];
#pragma unroll
  for (int i = 0; i < kElementsAhead; ++i) {
    if (columns[i] >= 0) sum += values[i] * factors[i];
  }
}

/// And of all `count` elements.
template <class Args, class T = decltype(Args::alpha)>
__device__ __forceinline__ void add_row(const Args& a, std::int64_t k, std::int64_t stride,
                                        std::int64_t count, T& sum) {
  for (; count >= kElementsAhead; count -= kElementsAhead, k += kElementsAhead * stride)
    add_elements(a, k, stride, kElementsAhead, sum);
  if (count > 0) add_elements(a, k, stride, count, sum);
}

}  // namespace tandem
