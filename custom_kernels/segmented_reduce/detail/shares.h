#pragma once
// Segments that lie side by side, reduced by the threads of the CPU: each piece of the merge path by one.

#include <algorithm>

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "lib/core/workers.h"

namespace tandem {

constexpr std::int64_t kPiece = 1 << 15;  // elements and segments that a thread claims at once
constexpr std::int64_t kAlone = 4;        // up to this many pieces one thread does all

/// What a piece has of segments that other pieces have a part of, too.
template <class T>
struct PieceCarry {
  std::int64_t first;  // the first segment that ends in the piece, or would
  bool ends;           // whether it does
  T head, tail;  // op over what the piece has of that one, and of the segment behind the last one that ends
};

inline std::int64_t pieces_of(const SegmentedReduce::Layout& segments, std::int64_t size = kPiece) {
  return (MergePath{segments}.items() + size - 1) / size;
}

/// Calls store(s, value) once for each segment s; run(begin, end) is op over these elements. What pieces have of a segment
/// that goes on behind them is combined in order afterwards, whatever the number of threads. `carries`: one for each piece.
template <class Op, class T, class Run, class Store>
void reduce_shares(const SegmentedReduce::Layout& segments, std::int64_t size, PieceCarry<T>* carries,
                   Run run, Store store) {
  const MergePath path{segments};
  const std::int64_t items = path.items(), pieces = pieces_of(segments, size);
  const auto reduce_piece = [&](std::int64_t p) {
    MergePath::Point from = path.at(p * size), to = path.at(std::min((p + 1) * size, items));
    PieceCarry<T>& carry = carries[p] = {from.segment, from.segment < to.segment, {}, {}};
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
    const PieceCarry<T>& carry = carries[p];
    if (carry.ends) store(carry.first, Op{}(carried, carry.head));
    carried = carry.ends ? carry.tail : Op{}(carried, carry.tail);
  }
}
template <class Op, class T, class Run, class Store>
void reduce_shares(const SegmentedReduce::Layout& segments, Context& ctx, Run run, Store store) {
  reduce_shares<Op, T>(segments, kPiece, ctx.scratch<PieceCarry<T>>(pieces_of(segments)), run, store);
}

}  // namespace tandem
