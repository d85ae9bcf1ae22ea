// Wrong:   takes rows with gaps between them for rows side by side.
// Caught:  lines of a matrix with gaps, which hold NaN.

#include "tests/wrong/segmented_reduce/loop.h"

namespace tandem {
namespace {

template <class C>
void gaps_read(const typename C::Args& a, Context&) {
  reduce_in_turn<C>(a, [&](std::int64_t s, std::int64_t& begin, std::int64_t& end, std::int64_t&) {
    if (a.segments.offsets) return;
    begin = s * a.segments.length;
    end = begin + a.segments.length;
  });
}

REGISTER(SegmentedReduce, gaps_read, .note = "wrong on purpose", .refuses = SegmentedReduce::refuses)

}  // namespace
}  // namespace tandem
