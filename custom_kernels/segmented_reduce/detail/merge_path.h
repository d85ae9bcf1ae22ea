#pragma once
// Elements and ends of segments in the order in which a loop meets them: after the elements of a segment its end. A
// share of this path is a share of the work, however segments are long.

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/merge_path.h"

namespace tandem {

/// The path through segments that lie side by side.
/// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication".
struct MergePath {
  using Point = PathPoint;
  SegmentedReduce::Layout segments;

  TANDEM_HD std::int64_t items() const { return place(segments.count); }
  /// Items up to the end of segment s − 1.
  TANDEM_HD std::int64_t place(std::int64_t s) const { return segments.begin(s) - segments.begin(0) + s; }
  /// The point before item i. O(log segments), O(1) where segments have one length.
  TANDEM_HD Point at(std::int64_t i) const {
    std::int64_t ends = 0;
    if (segments.offsets) {
      std::int64_t more = segments.count + 1;  // the least number of ends that is too large
      while (more - ends > 1) {
        const std::int64_t middle = ends + (more - ends) / 2;
        (place(middle) <= i ? ends : more) = middle;
      }
    } else {
      ends = i / (segments.length + 1);
    }
    return {ends, segments.begin(0) + i - ends};
  }
};

}  // namespace tandem
