#pragma once
// Searching in posting lists, as all GPU steps of intersect do it.

#include "lib/ops/intersect/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {

template <class T>
using PostingList = Intersect::List<T>;

/// Thread-wide: the first index in [low, high) of ascending values whose value is not below x, or high. A
/// binary search without branches.
template <class Values, class Index, class X>
__device__ Index first_not_below(Values&& values, Index low, Index high, X x) {
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    const bool below = values[middle] < x;
    low = below ? middle + 1 : low;
    high = below ? high : middle;
  }
  return low;
}

/// Warp-wide: the same by 32-ary search; all lanes get the index.
template <class V, class X>
__device__ std::int64_t warp_first_not_below(const V* values, std::int64_t low, std::int64_t high, X x) {
  const int lane = threadIdx.x % kWarp;
  while (low < high) {
    const std::int64_t stride = ceil_div(high - low, kWarp), mine = low + (lane + 1) * stride - 1;
    const bool below = mine < high && values[mine] < x;
    const int strides = __popc(__ballot_sync(kAllLanes, below));
    low += strides * stride;
    high = stride == 1 ? low
                       : min(high, low + stride - 1);  // the last of the next stride is known not to be below
  }
  return low;
}

/// Thread-wide: the query that a candidate belongs to.
template <class Args>
__device__ std::int64_t query_of(const Args& a, std::int64_t candidate) {
  return first_not_below(a.first_candidate, std::int64_t{1}, a.queries, std::uint64_t(candidate) + 1) - 1;
}

}  // namespace tandem
