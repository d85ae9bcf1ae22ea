#pragma once
// segmented_scan, scan_by_key and reduce_by_key for operators of the user's own: the tiles of scan, whose operands know where
// segments begin.

#include "tandem/functors/scan.cuh"
#include "tandem/reduce_by_key.h"

namespace tandem::detail {

constexpr int kOwnMarkThreads = 256;

/// An operator within segments, as WithinRuns. marks: bit i is set where a segment begins with element i; null where all have one
/// length.
template <class Op, class A>
struct WithinSegments : OnLastRuns<Op, A, RunMark> {
  SegmentPlaces places;
  const std::uint32_t* marks;

  TANDEM_HD bool begins(std::int64_t i) const {
    return marks ? marks[i / 32] >> (i % 32) & 1 : i % places.length == 0;
  }
  /// Of element i in its segment.
  TANDEM_HD std::int64_t place(std::int64_t i) const {
    if (!marks) return i % places.length;
    std::int64_t low = 0,
                 high = places.count;  // segment `low` begins before i or with it, segment `high` behind it
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (places.offsets[middle] <= i ? low : high) = middle;
    }
    return i - places.offsets[low];
  }
  template <class T>
  TANDEM_HD LastRun<A, RunMark> lift(const T& x, std::int64_t i) const {
    const auto mark = static_cast<RunMark>(begins(i));
    if constexpr (requires(const Op& op) { op.lift(x, i); })
      return {static_cast<A>(this->op.lift(x, place(i))), mark};
    else
      return {static_cast<A>(lifted(this->op, x, i)), mark};
  }
};

/// Results, and the range of elements that own_scan_tile is to scan.
template <class Results>
struct OfArray : Results {
  std::int64_t elements;
  __device__ std::int64_t begin() const { return 0; }
  __device__ std::int64_t end() const { return elements; }
};
template <class Results>
struct OfSegments : Results {
  SegmentPlaces places;
  __device__ std::int64_t begin() const { return places.begin(0); }
  __device__ std::int64_t end() const { return places.begin(places.count); }
};

/// A thread for each segment.
template <class Mark>
__global__ void __launch_bounds__(kOwnMarkThreads) own_mark_segments(SegmentPlaces places, Mark* marks) {
  const std::int64_t s = std::int64_t(blockIdx.x) * kOwnMarkThreads + threadIdx.x;
  if (s >= places.count || places.size(s) == 0) return;
  const std::int64_t i = places.begin(s);
  atomicOr(&marks[i / 32], Mark(1) << (i % 32));
}

/// Its arguments are checked; the caller's scope names the call.
template <class T, class Within, class Results>
void own_runs_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, const Within& within,
                        const Results& results) {
  own_scan_tiles(ctx, in.data, in.size, within, static_cast<const typename Within::Accumulator*>(nullptr),
                 OfArray<Results>{results, in.size});
}

/// Segments lie in the first n elements. Where they have offsets, their beginnings are marked first.
template <bool kExclusive, class A, class First, class T, class Out, class Op>
void own_scan_segments_by_kernel(OnHostAndDevice, std::bool_constant<kExclusive>, Context& ctx, const T* in,
                                 std::int64_t n, const SegmentPlaces& places, Out* out, const Op& op,
                                 const A*, const First& init) {
  using Within = WithinSegments<Op, A>;
  using Results = ScannedRuns<kExclusive, Within, First, Out>;
  const CallScope call(ctx, "segmented_scan/custom/lookback");
  if (n == 0 || places.count == 0) return;
  std::uint32_t* marks = nullptr;
  if (places.offsets) {
    const std::int64_t words = ceil_div(n, 32);
    marks = ctx.scratch<std::uint32_t>(words);
    ctx.fill(marks, 0, static_cast<std::size_t>(words) * sizeof *marks);
    launch(ctx, ceil_div(places.count, kOwnMarkThreads), kOwnMarkThreads, 0, own_mark_segments<std::uint32_t>,
           places, marks);
  }
  const Within within{{op}, places, marks};
  own_scan_tiles(ctx, in, n, within, static_cast<const typename Within::Accumulator*>(nullptr),
                 OfSegments<Results>{Results{within, init, out}, places});
}

}  // namespace tandem::detail
