#pragma once
// A posting list cut by document number into buckets of equal width: the hash of an id is the number of its
// bucket, and a table says where each bucket begins.

#include <cstdint>

#include "lib/ops/intersect/contract.h"

namespace tandem {

constexpr std::int64_t kLabBucket = 512;  // ids, as in the inverted-index lab

/// How a list is cut: where its ids lie evenly, kBucket to twice as many fall in a bucket. The width of a
/// bucket is a power of two, so that the hash is a subtraction and a shift.
template <class T, std::int64_t kBucket>
struct Buckets {
  T first;
  int shift;
  std::int64_t count;

  TANDEM_HD explicit Buckets(Intersect::List<T> list) : first(0), shift(0), count(0) {
    if (list.size == 0) return;
    first = list.ids[0];
    const std::uint64_t range = list.ids[list.size - 1] - first;  // a T cannot be shifted by all of its bits
    const std::int64_t most = list.size / kBucket + 1;
    while (static_cast<std::int64_t>(range >> shift) >= most) ++shift;
    count = static_cast<std::int64_t>(range >> shift) + 1;
  }
  /// The bucket of an id: −1 in front of the first, `count` or more behind the last.
  TANDEM_HD std::int64_t bucket(T id) const {
    return id < first ? -1 : static_cast<std::int64_t>(std::uint64_t{id - first} >> shift);
  }
  /// The smallest id that can be in a bucket after the first.
  TANDEM_HD T lowest(std::int64_t bucket) const { return first + static_cast<T>(bucket << shift); }
};

}  // namespace tandem
