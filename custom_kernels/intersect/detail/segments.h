#pragma once
// A posting list cut by document number into segments of equal width: the hash of an id is its segment, and a table says
// where each segment starts.

#include <cstdint>

#include "lib/ops/intersect/contract.h"

namespace tandem {

constexpr std::int64_t kLabBucket = 512;  // the lab's bucket size

/// How a list is cut: where its ids lie evenly, kBucket to twice as many fall in a segment. The width of a segment is a
/// power of two, so that the hash is a subtraction and a shift.
template <class T, std::int64_t kBucket>
struct Segments {
  T first;
  int shift;
  std::int64_t count;

  TANDEM_HD explicit Segments(Intersect::List<T> list) : first(0), shift(0), count(0) {
    if (list.size == 0) return;
    first = list.ids[0];
    const std::uint64_t range = list.ids[list.size - 1] - first;  // a T cannot be shifted by all of its bits
    const std::int64_t most = list.size / kBucket + 1;
    while (static_cast<std::int64_t>(range >> shift) >= most) ++shift;
    count = static_cast<std::int64_t>(range >> shift) + 1;
  }
  /// −1 in front of the first segment, `count` or more behind the last.
  TANDEM_HD std::int64_t segment(T id) const {
    return id < first ? -1 : static_cast<std::int64_t>(std::uint64_t{id - first} >> shift);
  }
  /// The smallest id of a segment after the first.
  TANDEM_HD T lowest(std::int64_t segment) const { return first + static_cast<T>(segment << shift); }
};

}  // namespace tandem
