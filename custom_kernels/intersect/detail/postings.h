#pragma once
// What the CPU steps of intersect share: how queries are answered in turn, and galloping search.

#include "lib/ops/intersect/answer.h"

namespace tandem {

template <class T>
using PostingList = Intersect::List<T>;

/// Galloping search: the index of the first id from index `from` on that is not below x, or the list's size.
/// Strides double until they are past it, then a binary search ends it (Bentley, Yao 1976). O(log of the
/// distance).
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
