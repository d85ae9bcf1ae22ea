// Wrong:   takes the array's first element for that of the first segment.
// Caught:  offsets that do not begin at 0.

#include "tests/wrong/segmented_reduce/loop.h"

namespace tandem {
namespace {

template <class C>
void from_the_first_element(const typename C::Args& a, Context&) {
  reduce_in_turn<C>(a, [&](std::int64_t, std::int64_t& begin, std::int64_t& end, std::int64_t&) {
    begin -= a.segments.begin(0);
    end -= a.segments.begin(0);
  });
}

REGISTER(SegmentedReduce, from_the_first_element, .note = "wrong on purpose",
         .refuses = SegmentedReduce::refuses)

}  // namespace
}  // namespace tandem
