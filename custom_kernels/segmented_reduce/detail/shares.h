#pragma once
// Segments that lie side by side, reduced by the threads of the CPU: each piece of the merge path by one.

#include <algorithm>

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "lib/core/workers.h"

namespace tandem {

constexpr std::int64_t kPiece = 1 << 15;  // elements and segments that a thread claims at once
constexpr std::int64_t kAlone = 4;        // up to this many pieces one thread does all

/// Calls store(s, value) once for each segment s; run(begin, end) is op over these elements. What pieces have of a segment
/// that goes on behind them is combined in order afterwards, whatever the number of threads.
template <class Op, class T, class Run, class Store>
void reduce_shares(const SegmentedReduce::Layout& segments, Context& ctx, Run run, Store store) {
  struct Carry {
    std::int64_t first;  // the first segment that ends in the piece, or would
    bool ends;           // whether it does
    T head, tail;  // op over what the piece has of that one, and of the segment behind the last one that ends
  };
  const MergePath path{segments};
  const std::int64_t items = path.items(), pieces = (items + kPiece - 1) / kPiece;
  Carry* carries = ctx.scratch<Carry>(pieces);
  const auto reduce_piece = [&](std::int64_t p) {
    MergePath::Point from = path.at(p * kPiece), to = path.at(std::min((p + 1) * kPiece, items));
    Carry& carry = carries[p] = {from.segment, from.segment < to.segment, {}, {}};
    for (; from.segment < to.segment; ++from.segment) {
      const std::int64_t end = segments.end(from.segment);
      const T value = run(from.element, end);
      if (from.segment == carry.first)
        carry.head = value;
      else
        store(from.segment, value);
      from.element = end;
    }
    carry.tail = run(from.element, to.element);
  };
  parallel_for(pieces, {.most = 8, .alone = kAlone}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) reduce_piece(p);
  });
  T carried = Op::template identity<T>();
  for (std::int64_t p = 0; p < pieces; ++p) {
    const Carry& carry = carries[p];
    if (carry.ends) store(carry.first, Op{}(carried, carry.head));
    carried = carry.ends ? carry.tail : Op{}(carried, carry.tail);
  }
}

}  // namespace tandem
