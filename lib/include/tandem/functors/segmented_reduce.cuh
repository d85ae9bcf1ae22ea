#pragma once
// segmented_reduce for operators of the user's own.

#include <algorithm>

#include "tandem/device/block.cuh"
#include "tandem/functors/operands.cuh"
#include "tandem/segmented_reduce.h"

namespace tandem::detail {

constexpr int kOwnSegmentThreads = 256;

/// Warp-wide: op over elements [begin, end) of a segment in their order, in rows of a few elements per lane; lane 0 gets it.
template <class O, class T>
__device__ typename O::Operand own_reduce_range(const O& op, const T* in, std::int64_t begin,
                                                std::int64_t end) {
  using Operand = typename O::Operand;
  constexpr int kCount = kPackOf<T>;
  Operand total = op.template identity<Operand>();
  for (std::int64_t first = begin; first < end; first += kWarp * kCount) {
    Operand items[kCount];
    load_operands<false>(op, in, first + threadIdx.x % kWarp * kCount, 0, end, items);
    Operand row = items[0];
#pragma unroll
    for (int k = 1; k < kCount; ++k) row = op(row, items[k]);
    total = op(total, warp_reduce(row, op));
  }
  return total;
}

/// As segmented_reduce/custom/warp_per_segment and block_per_segment: group g of kThreads threads reduces part g % parts of segment
/// g / parts. One part is all of a segment, whose result is written; of more the totals are.
template <int kThreads, class O, class T, class Out>
__global__ void __launch_bounds__(kOwnSegmentThreads)
    own_reduce_segments(O op, const T* in, SegmentPlaces places, std::int64_t groups, int parts, Out* out,
                        typename O::Operand* totals) {
  constexpr int kGroups = kOwnSegmentThreads / kThreads;
  const std::int64_t group = std::int64_t(blockIdx.x) * kGroups + threadIdx.x / kThreads;
  if (group >= groups) return;  // all threads of the group
  const std::int64_t segment = group / parts, first = places.begin(segment), size = places.size(segment);
  const std::int64_t part = ceil_div(size, parts), begin = group % parts * part,
                     end = min(size, begin + part);
  typename O::Operand total;
  if constexpr (kThreads == kWarp) {
    total = own_reduce_range(op, in + first, begin, end);
  } else {  // neighbouring elements for each warp
    const std::int64_t share = ceil_div(part, kThreads),
                       mine = begin + std::int64_t(threadIdx.x / kWarp) * share * kWarp;
    total = own_reduce_range(op, in + first, mine, min(end, mine + share * kWarp));
    if (threadIdx.x % kWarp > 0) total = op.template identity<typename O::Operand>();
    total = block_reduce<kThreads>(total, op);
  }
  if (threadIdx.x % kThreads > 0) return;
  if (parts > 1)
    totals[group] = total;
  else
    out[segment] = static_cast<Out>(O::value(op(op.first, total)));
}

/// A thread for each segment.
template <class O, class Out>
__global__ void __launch_bounds__(kOwnSegmentThreads)
    own_join_parts(O op, const typename O::Operand* totals, std::int64_t count, int parts, Out* out) {
  const std::int64_t segment = std::int64_t(blockIdx.x) * kOwnSegmentThreads + threadIdx.x;
  if (segment >= count) return;
  auto total = op.first;
  for (int p = 0; p < parts; ++p) total = op(total, totals[segment * parts + p]);
  out[segment] = static_cast<Out>(O::value(total));
}

/// Across the lines of a matrix, as segmented_reduce/custom/columns: neighbouring threads reduce neighbouring elements of `part`
/// lines. One part is all lines, whose results are written; of more the totals are.
template <class O, class T, class Out>
__global__ void __launch_bounds__(kOwnSegmentThreads)
    own_reduce_lines(O op, const T* in, std::int64_t lines, std::int64_t ld, std::int64_t results,
                     std::int64_t part, int parts, Out* out, typename O::Operand* totals) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSegmentThreads + threadIdx.x;
  if (i >= results * parts) return;
  const std::int64_t j = i % results, p = i / results;
  auto total = op.template identity<typename O::Operand>();
  const std::int64_t end = min(lines, (p + 1) * part);
  for (std::int64_t line = p * part; line < end; ++line) total = op(total, op.load(in[line * ld + j], line));
  if (parts > 1)
    totals[j * parts + p] = total;
  else
    out[j] = static_cast<Out>(O::value(op(op.first, total)));
}

/// Its arguments are checked. `elements`: of all segments together. A warp takes a short segment, a block a long one; few long ones
/// are cut, so that all multiprocessors have work.
template <class A, class T, class Out, class Op>
void own_reduce_segments_by_kernel(OnHostAndDevice, Context& ctx, const T* in, const SegmentPlaces& places,
                                   std::int64_t elements, Out* out, const Op& op, const A& init) {
  using O = KernelOperator<Op, A>;
  constexpr std::int64_t kLong = 2048, kLeastPart = 16384;
  constexpr int kMostParts = 512, kWarps = kOwnSegmentThreads / kWarp;
  const CallScope call(ctx, "segmented_reduce/custom/block_per_segment");
  const std::int64_t count = places.count;
  if (count == 0) return;
  const O operands(op, &init);
  const std::int64_t average = elements / count;
  if (average < kLong) {
    launch(ctx, ceil_div(count, kWarps), kOwnSegmentThreads, 0, own_reduce_segments<kWarp, O, T, Out>,
           operands, in, places, count, 1, out, static_cast<typename O::Operand*>(nullptr));
    return;
  }
  const std::int64_t wanted =
      ceil_div(std::int64_t{8} * ctx.multiprocessors(), count);  // blocks for a segment
  const int parts =
      static_cast<int>(std::clamp<std::int64_t>(std::min(wanted, average / kLeastPart), 1, kMostParts));
  auto* totals = ctx.scratch<typename O::Operand>(parts > 1 ? count * parts : 0);
  launch(ctx, count * parts, kOwnSegmentThreads, 0, own_reduce_segments<kOwnSegmentThreads, O, T, Out>,
         operands, in, places, count * parts, parts, out, totals);
  if (parts > 1)
    launch(ctx, ceil_div(count, kOwnSegmentThreads), kOwnSegmentThreads, 0, own_join_parts<O, Out>, operands,
           static_cast<const typename O::Operand*>(totals), count, parts, out);
}

/// The same of out[j] = op over element j of each line.
template <class A, class T, class Out, class Op>
void own_reduce_across_by_kernel(OnHostAndDevice, Context& ctx, const T* in, std::int64_t lines,
                                 std::int64_t ld, std::int64_t results, Out* out, const Op& op,
                                 const A& init) {
  using O = KernelOperator<Op, A>;
  constexpr std::int64_t kLeastPart = 64, kMostParts = 512;
  const CallScope call(ctx, "segmented_reduce/custom/columns");
  if (results == 0) return;
  const O operands(op, &init);
  const std::int64_t threads = std::int64_t{2048} * ctx.multiprocessors();
  const std::int64_t wanted =
      std::clamp<std::int64_t>(std::min(threads / results, lines / kLeastPart), 1, kMostParts);
  const std::int64_t part = ceil_div(lines, wanted);
  const int parts = static_cast<int>(lines > 0 ? ceil_div(lines, part) : 1);
  auto* totals = ctx.scratch<typename O::Operand>(parts > 1 ? results * parts : 0);
  launch(ctx, ceil_div(results * parts, kOwnSegmentThreads), kOwnSegmentThreads, 0,
         own_reduce_lines<O, T, Out>, operands, in, lines, ld, results, part, parts, out, totals);
  if (parts > 1)
    launch(ctx, ceil_div(results, kOwnSegmentThreads), kOwnSegmentThreads, 0, own_join_parts<O, Out>,
           operands, static_cast<const typename O::Operand*>(totals), results, parts, out);
}

}  // namespace tandem::detail
