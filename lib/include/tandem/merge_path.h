#pragma once
// Where a merge of two sorted runs can be cut, so that its parts are merged apart from each other (Odeh, Green,
// Mwassi, Shmueli, Birk 2012, "Merge path").

#include <cstdint>

#include "tandem/export.h"

namespace tandem {

/// How many of the first `diagonal` items of the merged runs are of the first run, x: of equal items those of x come
/// first. y_before_x(i, j): whether item j of y comes before item i of x. O(log(nx)) comparisons.
template <class Index, class Before>
TANDEM_HD Index merge_path(Index nx, Index ny, Index diagonal, Before y_before_x) {
  Index low = diagonal > ny ? diagonal - ny : 0, high = diagonal < nx ? diagonal : nx;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (y_before_x(middle, diagonal - 1 - middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// On the path through segments, where an end follows the elements of each: so many ends lie behind, and all elements before
/// `element`.
struct PathPoint {
  std::int64_t segment, element;
};

/// Of n items in sorted runs of `run`: the two, [begin, middle) and [middle, end), whose merge has item `at`.
struct RunPair {
  std::int64_t begin, middle, end;
};
TANDEM_HD inline RunPair run_pair(std::int64_t at, std::int64_t run, std::int64_t n) {
  const std::int64_t begin = at / (2 * run) * (2 * run);
  const std::int64_t middle = n - begin < run ? n : begin + run;
  return {begin, middle, n - middle < run ? n : middle + run};
}

}  // namespace tandem
