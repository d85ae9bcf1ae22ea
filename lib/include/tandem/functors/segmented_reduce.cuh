#pragma once
// segmented_reduce for operators of the user's own.

#include <algorithm>

#include "tandem/device/block.cuh"
#include "tandem/functors/operands.cuh"
#include "tandem/segmented_reduce.h"

namespace tandem::detail {

constexpr int kOwnSegmentThreads = 256;
/// Packs that a thread of a group loads before it uses the first.
template <class Operand, int kCount>
constexpr int kOwnRowsAhead = std::clamp<int>(64 / (kCount * sizeof(Operand)), 1, 4);

/// Called by a warp, whose groups of kLanes threads have a range each: op over elements [begin, end) in their order, in rows of a
/// few elements per lane; the first lane of a group gets it.
template <int kLanes, class O, class T>
__device__ typename O::Operand own_reduce_range(const O& op, const T* in, std::int64_t begin,
                                                std::int64_t end) {
  using Operand = typename O::Operand;
  constexpr int kCount = kPackOf<T>;
  constexpr int kRows = kLanes == 1 ? 1 : kOwnRowsAhead<Operand, kCount>;
  // Rows begin where packs are aligned, which is between two elements unless these begin anywhere.
  constexpr bool kAligned = alignof(T) == sizeof(T);
  const int before =
      kAligned ? int(reinterpret_cast<std::uintptr_t>(in + begin) % (kCount * sizeof(T)) / sizeof(T)) : 0;
  Operand total = op.template identity<Operand>();
  const int lane = threadIdx.x % kLanes;
  constexpr int kStep = kRows * kLanes * kCount;
  for (std::int64_t first = begin - before; __any_sync(kAllLanes, first < end); first += kStep) {
    Operand items[kRows][kCount];
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      load_operands<kAligned>(op, in, first + (r * kLanes + lane) * kCount, begin, end, items[r]);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      Operand of_row = items[r][0];
#pragma unroll
      for (int k = 1; k < kCount; ++k) of_row = op(of_row, items[r][k]);
#pragma unroll
      for (int distance = 1; distance < kLanes; distance *= 2)
        of_row = op(of_row, shuffle_down(of_row, distance));
      total = op(total, of_row);
    }
  }
  return total;
}

/// As segmented_reduce/custom/thread_per_segment, warp_per_segment and block_per_segment: group g of kThreads threads reduces part
/// g % parts of segment g / parts. One part is all of a segment, whose result is written; of more the totals are.
template <int kThreads, class O, class T, class Out>
__global__ void __launch_bounds__(kOwnSegmentThreads)
    own_reduce_segments(O op, const T* in, SegmentPlaces places, std::int64_t groups, int parts, Out* out,
                        typename O::Operand* totals) {
  constexpr int kGroups = kOwnSegmentThreads / kThreads;
  const std::int64_t group = std::int64_t(blockIdx.x) * kGroups + threadIdx.x / kThreads;
  std::int64_t segment = 0, first = 0, begin = 0, end = 0;  // of groups that have nothing to do, but vote
  if (group < groups) {
    segment = group / parts, first = places.begin(segment);
    const std::int64_t size = places.size(segment), part = ceil_div(size, parts);
    begin = group % parts * part, end = min(size, begin + part);
  }
  typename O::Operand total;
  if constexpr (kThreads <= kWarp) {
    total = own_reduce_range<kThreads>(op, in + first, begin, end);
  } else {  // neighbouring elements for each warp
    const std::int64_t share = ceil_div(end - begin, kThreads),
                       mine = begin + std::int64_t(threadIdx.x / kWarp) * share * kWarp;
    total = own_reduce_range<kWarp>(op, in + first, mine, min(end, mine + share * kWarp));
    if (threadIdx.x % kWarp > 0) total = op.template identity<typename O::Operand>();
    total = block_reduce<kThreads>(total, op);
  }
  if (group >= groups || threadIdx.x % kThreads > 0) return;
  if (parts > 1)
    totals[group] = total;
  else
    out[segment] = static_cast<Out>(O::value(op(op.first, total)));
}

constexpr int kOwnJoined = 64;  // parts of a result that a thread joins

/// A thread for each kOwnJoined neighbouring totals of a result. Of more than one thread for a result their totals are written.
template <class O, class Out>
__global__ void __launch_bounds__(kOwnSegmentThreads)
    own_join_parts(O op, const typename O::Operand* parts_of, std::int64_t count, int parts, Out* out,
                   typename O::Operand* totals) {
  const int joined = ceil_div(parts, kOwnJoined);
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSegmentThreads + threadIdx.x;
  if (i >= count * joined) return;
  const int begin = int(i % joined) * kOwnJoined, end = min(parts, begin + kOwnJoined);
  parts_of += i / joined * parts;
  auto total = parts_of[begin];
  for (int p = begin + 1; p < end; ++p) total = op(total, parts_of[p]);
  if (joined > 1)
    totals[i] = total;
  else
    out[i] = static_cast<Out>(O::value(op(op.first, total)));
}

/// Results of `parts` totals each, which are overwritten: there is room for twice as many.
template <class O, class Out>
void own_join(Context& ctx, const O& operands, typename O::Operand* totals, std::int64_t count, int parts,
              Out* out) {
  auto *from = totals, *to = totals + count * parts;
  while (parts > 1) {
    const int joined = ceil_div(parts, kOwnJoined);
    launch(ctx, ceil_div(count * joined, kOwnSegmentThreads), kOwnSegmentThreads, 0, own_join_parts<O, Out>,
           operands, static_cast<const typename O::Operand*>(from), count, parts, out, to);
    std::swap(from, to);
    parts = joined;
  }
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

/// Its arguments are checked. `elements`: of all segments together; `longest`: of one, below 0 where nobody knows. A thread takes
/// a tiny segment, a few threads or a warp a short one, a block a long one; few long ones are cut, so that all multiprocessors have
/// work.
template <class A, class T, class Out, class Op>
void own_reduce_segments_by_kernel(OnHostAndDevice, Context& ctx, const T* in, const SegmentPlaces& places,
                                   std::int64_t elements, std::int64_t longest, Out* out, const Op& op,
                                   const A& init) {
  using O = KernelOperator<Op, A>;
  constexpr std::int64_t kLong = 2048, kLeastPart = 16384;
  constexpr int kMostParts = 512, kFew = 8;
  const std::int64_t count = places.count, average = count > 0 ? elements / count : 0;
  const std::int64_t per_lane = longest < 0 ? elements : longest, packs = ceil_div(average, kPackOf<T>);
  // What a few threads read alone must not take longer than all the others.
  const auto few_may = [&](int threads) {
    return packs <= 2 * threads && per_lane / threads <= 64 + elements / 65536;
  };
  const int threads = average >= kLong ? kOwnSegmentThreads : few_may(1) ? 1 : few_may(kFew) ? kFew : kWarp;
  const CallScope call(ctx, threads == 1       ? "segmented_reduce/custom/thread_per_segment"
                            : threads <= kWarp ? "segmented_reduce/custom/warp_per_segment"
                                               : "segmented_reduce/custom/block_per_segment");
  if (count == 0) return;
  const O operands(op, &init);
  const auto by_groups_of = [&]<int kThreads>(int parts, typename O::Operand* totals) {
    launch(ctx, ceil_div(count * parts, kOwnSegmentThreads / kThreads), kOwnSegmentThreads, 0,
           own_reduce_segments<kThreads, O, T, Out>, operands, in, places, count * parts, parts, out, totals);
  };
  if (threads == 1) return by_groups_of.template operator()<1>(1, nullptr);
  if (threads == kFew) return by_groups_of.template operator()<kFew>(1, nullptr);
  if (threads == kWarp) return by_groups_of.template operator()<kWarp>(1, nullptr);
  const std::int64_t wanted =
      ceil_div(std::int64_t{8} * ctx.multiprocessors(), count);  // blocks for a segment
  const int parts =
      static_cast<int>(std::clamp<std::int64_t>(std::min(wanted, average / kLeastPart), 1, kMostParts));
  auto* totals = ctx.scratch<typename O::Operand>(parts > 1 ? 2 * count * parts : 0);
  by_groups_of.template operator()<kOwnSegmentThreads>(parts, totals);
  own_join(ctx, operands, totals, count, parts, out);
}

/// The same of out[j] = op over element j of each line.
template <class A, class T, class Out, class Op>
void own_reduce_across_by_kernel(OnHostAndDevice, Context& ctx, const T* in, std::int64_t lines,
                                 std::int64_t ld, std::int64_t results, Out* out, const Op& op,
                                 const A& init) {
  using O = KernelOperator<Op, A>;
  constexpr std::int64_t kLeastPart = 64;
  const CallScope call(ctx, "segmented_reduce/custom/columns");
  if (results == 0) return;
  const O operands(op, &init);
  const std::int64_t threads = std::int64_t{2048} * ctx.multiprocessors();
  const std::int64_t part = ceil_div(
      lines, std::clamp<std::int64_t>(threads / results, 1, std::max<std::int64_t>(1, lines / kLeastPart)));
  const int parts = static_cast<int>(lines > 0 ? ceil_div(lines, part) : 1);
  auto* totals = ctx.scratch<typename O::Operand>(parts > 1 ? 2 * results * parts : 0);
  launch(ctx, ceil_div(results * parts, kOwnSegmentThreads), kOwnSegmentThreads, 0,
         own_reduce_lines<O, T, Out>, operands, in, lines, ld, results, part, parts, out, totals);
  own_join(ctx, operands, totals, results, parts, out);
}

}  // namespace tandem::detail
