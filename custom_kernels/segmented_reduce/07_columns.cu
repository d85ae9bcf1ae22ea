// Idea:    columns of a matrix, whose rows lie in one piece: strips of 32 columns × bands of rows, a block for each. The
//          results of bands are rows of a matrix, which is reduced in the same way.
// New:     against thread_per_segment, a column has as many threads as it takes to fill the GPU: eight warps of a block take
//          every eighth row, and each band has its block. Warps still read whole lines.
// Expect:  the bandwidth of the memory from 32 columns on.
// Limits:  columns alone; of fewer than 32 some lanes idle.

#include <algorithm>

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr std::int64_t kShortest = 512;     // rows of a band, if there is another
constexpr std::int64_t kManyBlocks = 4096;  // enough to fill a GPU evenly

/// Block b takes strip b % strips of band b / strips.
template <class C>
__global__ void __launch_bounds__(kThreads)
    reduce_band(typename C::Args a, std::int64_t strips, std::int64_t band, typename C::Acc* results) {
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  __shared__ Shared<Acc, kWarps, kWarp> of_warps;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const std::int64_t b = blockIdx.x / strips, col = blockIdx.x % strips * kWarp + lane;
  const std::int64_t end = min((b + 1) * band, a.segments.length);
  Acc total = Op::template identity<Acc>();
  if (col < a.segments.count) {
#pragma unroll 8  // rows of a warp that are on their way at once
    for (std::int64_t row = b * band + warp; row < end; row += kWarps)
      total = Op{}(total, C::load(a.in[row * a.segments.step + col]));
  }
  of_warps[warp][lane] = total;
  __syncthreads();
  if (warp > 0 || col >= a.segments.count) return;
  for (int w = 1; w < kWarps; ++w) total = Op{}(total, of_warps[w][lane]);
  results[b * a.segments.count + col] = total;
}

template <class C>
void columns(const typename C::Args& a, Context& ctx) {
  const std::int64_t rows = a.segments.length, cols = a.segments.count, strips = ceil_div(cols, kWarp);
  const std::int64_t bands =
      std::clamp<std::int64_t>(kManyBlocks / strips, 1, std::max<std::int64_t>(1, rows / kShortest));
  auto* results = bands == 1 ? a.out : ctx.scratch<typename C::Acc>(bands * cols);
  launch(ctx, strips * bands, kThreads, 0, reduce_band<C>, a, strips, ceil_div(rows, bands), results);
  using OfResults = SegmentedReduce::Case<typename C::Acc, typename C::Op>;
  if (bands > 1) columns<OfResults>({results, {nullptr, cols, bands, 1, cols}, bands * cols, a.out}, ctx);
}

std::string only_columns(const SegmentedReduce::Shape& shape, CaseId) {
  return shape.form == SegmentedReduce::Form::columns ? "" : "only columns of a matrix";
}

REGISTER(
    SegmentedReduce, columns, .note = "strips of columns × bands of rows",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / kWarps + 4096; }, .refuses = only_columns)

}  // namespace
}  // namespace tandem
