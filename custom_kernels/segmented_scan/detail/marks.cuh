#pragma once
// Which elements of a tile begin segments, where offsets or a length say so: a byte for each in shared memory.

#include "custom_kernels/segmented_scan/detail/rows.cuh"

namespace tandem {

/// Called by a warp: the first of `count` ascending offsets that is not below x; count where all are. Each round 32 lanes
/// look at as many places.
__device__ inline std::int64_t first_not_below(const std::int64_t* offsets, std::int64_t count,
                                               std::int64_t x) {
  const int lane = threadIdx.x % kWarp;
  std::int64_t low = 0, high = count;
  while (low < high) {
    const auto place = [&](int l) { return low + (high - low) * (l + 1) / (kWarp + 1); };
    const int below = __popc(__ballot_sync(kAllLanes, offsets[place(lane)] < x));
    const std::int64_t next_low = below > 0 ? place(below - 1) + 1 : low;
    if (below < kWarp) high = place(below);
    low = next_low;
  }
  return low;
}

/// Segments by offsets or of one length. Memory: Shared<Pack<std::uint8_t, kPack>, kTile / kPack>.
struct SegmentHeads {
  SegmentedScan::Layout segments;

  /// Called by all kThreads threads of a block: the mark of each element of the tile, 1 where a segment begins.
  template <int kThreads, int kPack, class Memory, class First>
  __device__ void mark(const RowTile& tile, Memory& marks, First& first_segment) const {
#pragma unroll
    for (int r = 0; r < kRows; ++r) marks[threadIdx.x + r * kThreads] = {};
    if (threadIdx.x < kWarp) {
      const std::int64_t from = tile.begin + tile.from;
      const std::int64_t s = segments.form == SegmentedScan::Form::equal
                                 ? ceil_div(from, segments.length)
                                 : first_not_below(segments.offsets, segments.count, from);
      if (threadIdx.x == 0) first_segment[0] = s;
    }
    __syncthreads();
    for (std::int64_t s = first_segment[0] + threadIdx.x; s < segments.count; s += kThreads) {
      const std::int64_t begin = segments.begin(s), at = begin - tile.begin;
      if (at >= tile.to) break;
      if (segments.end(s) > begin) marks[at / kPack].values[at % kPack] = 1;
    }
    __syncthreads();
  }
  /// As KeyHeads::of.
  template <int kPack, bool kWhole, class Memory>
  __device__ static unsigned of(const Rows<kPack, kWhole>& rows, Memory& marks) {
    unsigned heads = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const Pack<std::uint8_t, kPack> pack = marks[rows.place(r) / kPack];
#pragma unroll
      for (int k = 0; k < kPack; ++k) heads |= unsigned(pack.values[k]) << (r * kPack + k);
    }
    return heads;
  }
};

}  // namespace tandem
