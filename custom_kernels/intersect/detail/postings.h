#pragma once
// What the CPU steps of intersect share: walking through the queries, searching in a list, and filtering list by list.

#include <algorithm>

#include "lib/ops/intersect/contract.h"

namespace tandem {

template <class T>
using PostingList = Intersect::List<T>;

/// Answers the queries one after the other: answer(q, to) writes query q's ids to `to`, where there is room for its
/// shortest list, and returns how many they are.
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

/// Small versus small: keeps of the shortest list what the next one holds, and so on. pair(x, n, list, to) writes those
/// of the n ids at x that are in the list to `to`, which may be x, and returns how many they are.
template <class Args, class T, class Pair>
std::int64_t list_by_list(const Args& a, std::int64_t q, T* to, Pair pair) {
  const PostingList<T> shortest = a.list(q, 0);
  const T* candidates = shortest.ids;
  std::int64_t n = shortest.size;
  for (std::int64_t t = 1; t < a.terms_of(q) && n > 0; ++t) {
    n = pair(candidates, n, a.list(q, t), to);
    candidates = to;
  }
  if (candidates != to) std::copy_n(candidates, n, to);
  return n;
}

/// The first place from `from` on whose id is not below x, or the list's end: strides that double until they are past it,
/// then halves (Bentley, Yao 1976). O(log of the distance).
template <class T>
std::int64_t gallop(PostingList<T> list, std::int64_t from, T x) {
  std::int64_t stride = 1, low = from;
  while (low + stride <= list.size && list.ids[low + stride - 1] < x) {
    low += stride;
    stride *= 2;
  }
  return std::lower_bound(list.ids + low, list.ids + std::min(list.size, low + stride), x) - list.ids;
}

}  // namespace tandem
