#pragma once
// What the GPU steps of intersect share: searching, and, for the textbook steps, the way from marks to results. Those
// steps mark which candidates are in all lists of their query; candidates are the ids of every query's shortest list,
// numbered through the batch.

#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"
#include "lib/ops/intersect/contract.h"

namespace tandem {

template <class T>
using PostingList = Intersect::List<T>;

/// The first place in [low, high) of ascending values that is not below x, or high. A branch-free halving of the range.
template <class Values, class Place, class X>
__device__ Place first_not_below(Values&& values, Place low, Place high, X x) {
  while (low < high) {
    const Place middle = low + (high - low) / 2;
    const bool below = values[middle] < x;
    low = below ? middle + 1 : low;
    high = below ? high : middle;
  }
  return low;
}

/// The same by a whole warp, which compares 32 values at a time.
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

/// Which query a candidate belongs to.
template <class Args>
__device__ std::int64_t query_of(const Args& a, std::int64_t candidate) {
  return first_not_below(a.first_candidate, std::int64_t{1}, a.queries, std::uint64_t(candidate) + 1) - 1;
}

constexpr int kAnswerThreads = 128;

/// Block q: how many candidates of query q are marked.
template <class C>
__global__ void count_marks(typename C::Args a, const std::uint8_t* marks, std::uint64_t* counts) {
  std::uint64_t found = 0;
  for (std::int64_t q = blockIdx.x; q < a.queries; q += gridDim.x) {
    found = 0;
    const std::int64_t begin = a.first_candidate[q], end = a.first_candidate[q + 1];
    for (std::int64_t first = begin; first < end; first += kAnswerThreads)
      found += __syncthreads_count(first + threadIdx.x < end && marks[first + threadIdx.x]);
    if (threadIdx.x == 0) counts[q] = found;
  }
}

/// One block: where each query's results start.
template <class C>
__global__ void place_answers(typename C::Args a, const std::uint64_t* counts) {
  __shared__ Shared<std::uint64_t, kAnswerThreads> sums;
  std::uint64_t before = 0;
  const int t = threadIdx.x;
  for (std::int64_t first = 0; first < a.queries; first += kAnswerThreads) {
    sums[t] = first + t < a.queries ? counts[first + t] : 0;
    for (int distance = 1; distance < kAnswerThreads; distance *= 2) {
      __syncthreads();
      const std::uint64_t below = t >= distance ? sums[t - distance] : 0;
      __syncthreads();
      sums[t] += below;
    }
    __syncthreads();
    if (first + t < a.queries) a.offsets[first + t + 1] = before + sums[t];
    before += sums[kAnswerThreads - 1];
    __syncthreads();
  }
  if (t == 0) a.offsets[0] = 0;
}

/// Block q: the marked candidates of query q, in order.
template <class C>
__global__ void write_marked(typename C::Args a, const std::uint8_t* marks) {
  __shared__ Shared<int, kAnswerThreads / kWarp> in_warp;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  for (std::int64_t q = blockIdx.x; q < a.queries; q += gridDim.x) {
    const std::int64_t begin = a.first_candidate[q], end = a.first_candidate[q + 1];
    std::uint64_t place = a.offsets[q];
    for (std::int64_t first = begin; first < end; first += kAnswerThreads) {
      const std::int64_t c = first + threadIdx.x;
      const bool marked = c < end && marks[c];
      const unsigned ballot = __ballot_sync(kAllLanes, marked);
      if (lane == 0) in_warp[warp] = __popc(ballot);
      __syncthreads();
      std::uint64_t mine = place + __popc(ballot & ((1u << lane) - 1));
      for (int w = 0; w < kAnswerThreads / kWarp; ++w) {
        if (w < warp) mine += in_warp[w];
        place += in_warp[w];
      }
      if (marked) a.out[mine] = a.list(q, 0).ids[c - begin];
      __syncthreads();
    }
  }
}

/// Results or counts from marks, which hold a byte for each candidate.
template <class C>
void answer_from_marks(const typename C::Args& a, Context& ctx, const std::uint8_t* marks) {
  const std::int64_t blocks = min(a.queries, std::int64_t{1} << 30);
  std::uint64_t* counts = a.counts ? a.counts : ctx.scratch<std::uint64_t>(a.queries);
  launch(ctx, blocks, kAnswerThreads, 0, count_marks<C>, a, marks, counts);
  if (a.counts) return;
  launch(ctx, 1, kAnswerThreads, 0, place_answers<C>, a, static_cast<const std::uint64_t*>(counts));
  launch(ctx, blocks, kAnswerThreads, 0, write_marked<C>, a, marks);
}

}  // namespace tandem
