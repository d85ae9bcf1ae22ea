#pragma once
// Segments that lie side by side, reduced by the threads of the CPU: each piece of the merge path by one.

#include <algorithm>
#include <type_traits>

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

/// Calls store(s, j, value) once for each segment s and each of its columns j; run(begin, end, j) is op over these elements in
/// that column. What pieces have of a segment that goes on behind them is combined in order afterwards, whatever the number of
/// threads. `carries`: one for each piece and column. whole(first, last): stores segments first to last − 1, which lie in one piece.
template <class Op, class T, class Columns, class Run, class Store, class Whole>
void reduce_shares(const SegmentedReduce::Layout& segments, Columns columns, std::int64_t size,
                   PieceCarry<T>* carries, Run run, Store store, Whole whole) {
  const MergePath path{segments};
  const std::int64_t items = path.items(), pieces = pieces_of(segments, size);
  const auto reduce_piece = [=](std::int64_t p) {
    MergePath::Point from = path.at(p * size), to = path.at(std::min((p + 1) * size, items));
    const std::int64_t first = from.segment;
    PieceCarry<T>* const carry = carries + p * columns;
    for (std::int64_t j = 0; j < columns; ++j) carry[j] = {first, first < to.segment, {}, {}};
    if (first < to.segment) {
      for (std::int64_t j = 0; j < columns; ++j) carry[j].head = run(from.element, segments.end(first), j);
      whole(first + 1, to.segment);
      from.element = segments.end(to.segment - 1);
    }
    for (std::int64_t j = 0; j < columns; ++j) carry[j].tail = run(from.element, to.element, j);
  };
  parallel_for(pieces, {.most = 8, .alone = kAlone}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) reduce_piece(p);
  });
  for (std::int64_t j = 0; j < columns; ++j) {
    T carried = Op::template identity<T>();
    for (std::int64_t p = 0; p < pieces; ++p) {
      const PieceCarry<T>& carry = carries[p * columns + j];
      if (carry.ends) store(carry.first, j, Op{}(carried, carry.head));
      carried = carry.ends ? carry.tail : Op{}(carried, carry.tail);
    }
  }
}
/// The same, segment by segment.
template <class Op, class T, class Columns, class Run, class Store>
void reduce_shares(const SegmentedReduce::Layout& segments, Columns columns, std::int64_t size,
                   PieceCarry<T>* carries, Run run, Store store) {
  reduce_shares<Op, T>(segments, columns, size, carries, run, store, [=](std::int64_t s, std::int64_t last) {
    for (std::int64_t begin = s < last ? segments.begin(s) : 0, end; s < last; ++s, begin = end) {
      end = segments.end(s);
      for (std::int64_t j = 0; j < columns; ++j) store(s, j, run(begin, end, j));
    }
  });
}
/// Segments that have one column: run(begin, end), store(s, value).
template <class Op, class T, class Run, class Store, class... Whole>
void reduce_shares(const SegmentedReduce::Layout& segments, std::int64_t size, PieceCarry<T>* carries,
                   Run run, Store store, Whole... whole) {
  reduce_shares<Op, T>(
      segments, std::integral_constant<std::int64_t, 1>{}, size, carries,
      [=](std::int64_t begin, std::int64_t end, std::int64_t) { return run(begin, end); },
      [=](std::int64_t s, std::int64_t, const T& value) { store(s, value); }, whole...);
}

}  // namespace tandem
