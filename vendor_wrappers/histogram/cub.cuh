#pragma once
// cub::DeviceHistogram, of the CUB that the including file finds. Nothing here is shared between files, because they may
// find different ones.

#include <cub/device/device_histogram.cuh>

#include "lib/ops/histogram/contract.h"
#include "vendor_wrappers/common/cub.cuh"

namespace tandem {
namespace {

/// Levels of bytes are int, as CUB's own examples have them; those of other integers 64 bits wide, so that they hold one
/// past the largest value.
template <class T>
using CubLevel = std::conditional_t<sizeof(T) == 1, int, bin_edge_t<T>>;

/// Into counters of any type that CUB takes.
template <class C, class Counter>
void cub_histogram(const typename C::Args& a, Context& ctx, Counter* counts) {
  using Level = CubLevel<typename C::T>;
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  const std::int64_t key = a.n * (kMostBins + 1) + a.bins;  // CUB's scratch depends on both
  if (a.edges) {
    call_cub(ctx, key, "cub::DeviceHistogram::HistogramRange", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceHistogram::HistogramRange(scratch, bytes, a.in, counts, a.bins + 1, a.edges, a.n,
                                                  stream);
    });
  } else {
    Level lower, upper;
    if constexpr (std::is_integral_v<Level>) {
      lower = static_cast<Level>(a.even.low()), upper = static_cast<Level>(a.even.high());
    } else {
      lower = a.even.lower, upper = a.even.upper;
    }
    call_cub(ctx, key, "cub::DeviceHistogram::HistogramEven", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceHistogram::HistogramEven(scratch, bytes, a.in, counts, a.bins + 1, lower, upper, a.n,
                                                 stream);
    });
  }
}

/// CUB puts what rounds up to bin `bins` past the last count.
inline std::string rounds_past_the_end(const Histogram::Shape& shape, CaseId) {
  return shape.rounds_up ? "a value below upper rounds up to a bin that does not exist, where CUB counts it"
                         : "";
}

}  // namespace
}  // namespace tandem
