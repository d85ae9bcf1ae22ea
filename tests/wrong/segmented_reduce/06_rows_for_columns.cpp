// Wrong:   reduces rows where columns are asked for.
// Caught:  columns of matrices.

#include "tests/wrong/segmented_reduce/loop.h"

namespace tandem {
namespace {

template <class C>
void rows_for_columns(const typename C::Args& a, Context&) {
  reduce_in_turn<C>(a, [&](std::int64_t s, std::int64_t& begin, std::int64_t& end, std::int64_t& step) {
    if (step == 1) return;
    begin = s * a.segments.length;
    end = begin + a.segments.length;
    step = 1;
  });
}

REGISTER(SegmentedReduce, rows_for_columns, .note = "wrong on purpose", .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
