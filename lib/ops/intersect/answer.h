#pragma once
// What intersect's serial implementations share, hand-written and library calls alike: query after query,
// list after list.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lib/ops/intersect/contract.h"

namespace tandem {

/// Answers the queries one after the other: answer(q, to) writes query q's ids to `to`, where there is room
/// for its shortest list, and returns how many they are.
template <class Args, class Answer>
void answer_in_turn(const Args& a, Context& ctx, Answer answer) {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(a.ids)>>;
  T* aside = a.counts ? ctx.scratch<T>(a.longest) : nullptr;
  std::int64_t total = 0;
  for (std::int64_t q = 0; q < a.queries; ++q) {
    const std::int64_t found = a.terms_of(q) == 0 ? 0 : answer(q, a.counts ? aside : a.out + total);
    if (a.counts)
      a.counts[q] = static_cast<std::uint64_t>(found);
    else
      a.offsets[q] = static_cast<std::uint64_t>(total);
    total += found;
  }
  if (a.offsets) a.offsets[a.queries] = static_cast<std::uint64_t>(total);
}

/// Small versus small: keeps of the shortest list what the next one holds, and so on. pair(x, n, list, to)
/// writes those of the n ids at x that are in the list to `to`, which may be x, and returns how many they
/// are.
template <class Args, class T, class Pair>
std::int64_t list_by_list(const Args& a, std::int64_t q, T* to, Pair pair) {
  const Intersect::List<T> shortest = a.list(q, 0);
  const T* candidates = shortest.ids;
  std::int64_t n = shortest.size;
  for (std::int64_t t = 1; t < a.terms_of(q) && n > 0; ++t) {
    n = pair(candidates, n, a.list(q, t), to);
    candidates = to;
  }
  if (candidates != to) std::copy_n(candidates, n, to);
  return n;
}

}  // namespace tandem
