#pragma once
// From marks to results: the textbook steps mark which candidates are in all lists of their query, and three
// launches count the marks of each query, scan the counts to offsets, and write the marked ids. Candidates
// are the ids of every query's shortest list, numbered through the batch.

#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {

constexpr int kAnswerThreads = 128;

/// A block collects the marks of a query, which takes seconds for lists that are longer.
inline bool suits_marks(const Intersect::Shape& shape) { return shape.shortest() < std::int64_t{1} << 26; }

/// Kernel: a block for each query counts its marked candidates.
template <class C>
__global__ void count_marks(typename C::Args a, const std::uint8_t* marks, std::uint64_t* counts) {
  for (std::int64_t q = blockIdx.x; q < a.queries; q += gridDim.x) {
    std::uint64_t found = 0;
    const std::int64_t begin = a.first_candidate[q], end = a.first_candidate[q + 1];
    for (std::int64_t first = begin; first < end; first += kAnswerThreads)
      found += __syncthreads_count(first + threadIdx.x < end && marks[first + threadIdx.x]);
    if (threadIdx.x == 0) counts[q] = found;
  }
}

/// Kernel of one block: where each query's results start, by a Hillis-Steele scan of the counts.
template <class C>
__global__ void scan_counts(typename C::Args a, const std::uint64_t* counts) {
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

/// Kernel: a block for each query writes its marked candidates, in order.
template <class C>
__global__ void write_marked(typename C::Args a, const std::uint8_t* marks) {
  __shared__ Shared<int, kAnswerThreads / kWarp> in_warp;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  for (std::int64_t q = blockIdx.x; q < a.queries; q += gridDim.x) {
    const std::int64_t begin = a.first_candidate[q], end = a.first_candidate[q + 1];
    std::uint64_t at = a.offsets[q];
    for (std::int64_t first = begin; first < end; first += kAnswerThreads) {
      const std::int64_t c = first + threadIdx.x;
      const bool marked = c < end && marks[c];
      const unsigned ballot = __ballot_sync(kAllLanes, marked);
      if (lane == 0) in_warp[warp] = __popc(ballot);
      __syncthreads();
      std::uint64_t mine = at + __popc(ballot & ((1u << lane) - 1));
      for (int w = 0; w < kAnswerThreads / kWarp; ++w) {
        if (w < warp) mine += in_warp[w];
        at += in_warp[w];
      }
      if (marked) a.out[mine] = a.list(q, 0).ids[c - begin];
      __syncthreads();
    }
  }
}

/// Host: launches what makes results or counts of the marks, a byte for each candidate.
template <class C>
void answer_from_marks(const typename C::Args& a, Context& ctx, const std::uint8_t* marks) {
  const std::int64_t blocks = min(a.queries, std::int64_t{1} << 30);
  std::uint64_t* counts = a.counts ? a.counts : ctx.scratch<std::uint64_t>(a.queries);
  launch(ctx, blocks, kAnswerThreads, 0, count_marks<C>, a, marks, counts);
  if (a.counts) return;
  launch(ctx, 1, kAnswerThreads, 0, scan_counts<C>, a, static_cast<const std::uint64_t*>(counts));
  launch(ctx, blocks, kAnswerThreads, 0, write_marked<C>, a, marks);
}

}  // namespace tandem
