#pragma once
// The pieces of a batch shared out among the threads of a CPU.

#include <algorithm>
#include <utility>

#include "lib/core/workers.h"
#include "lib/ops/intersect/contract.h"

namespace tandem {

constexpr std::int64_t kAloneIds = 1 << 15;  // where an id takes about a nanosecond

/// Answers a batch piece by piece: answer(q, first, to) writes the results of the piece of query q whose
/// candidates start at index `first` of its shortest list to `to`, which has room for the piece, and returns
/// how many they are. They wait there until it is known how many lie before them, and are copied. Up to `alone` candidates,
/// some tens of microseconds of work, one thread does all.
template <class Args, class Answer>
void answer_pieces(const Args& a, Context& ctx, std::int64_t alone, Answer answer) {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(a.ids)>>;
  T* found = ctx.scratch<T>(a.candidates);
  auto* sizes = ctx.scratch<std::int64_t>(a.pieces);
  const auto query_of = [&](std::int64_t p) {
    return std::upper_bound(a.first_piece, a.first_piece + a.queries, static_cast<std::uint64_t>(p)) -
           a.first_piece - 1;
  };
  const auto first_of = [&](std::int64_t q,
                            std::int64_t p) {  // index of a piece's first candidate in its query
    return (p - static_cast<std::int64_t>(a.first_piece[q])) * a.piece;
  };
  const Pieces pieces{.alone = a.candidates > alone ? 1 : a.pieces};
  parallel_for(a.pieces, pieces, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      const std::int64_t q = query_of(p), first = first_of(q, p);
      sizes[p] = answer(q, first, found + a.first_candidate[q] + first);
    }
  });
  std::int64_t total = 0, p = 0;
  for (std::int64_t q = 0; q < a.queries; ++q) {
    const std::int64_t before = total;
    for (; p < static_cast<std::int64_t>(a.first_piece[q + 1]); ++p) total += std::exchange(sizes[p], total);
    (a.counts ? a.counts : a.offsets)[q] = static_cast<std::uint64_t>(a.counts ? total - before : before);
  }
  if (!a.offsets) return;
  a.offsets[a.queries] = static_cast<std::uint64_t>(total);
  parallel_for(a.pieces, pieces, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      const std::int64_t q = query_of(p), to = p + 1 < a.pieces ? sizes[p + 1] : total;
      std::copy_n(found + a.first_candidate[q] + first_of(q, p), to - sizes[p], a.out + sizes[p]);
    }
  });
}

}  // namespace tandem
