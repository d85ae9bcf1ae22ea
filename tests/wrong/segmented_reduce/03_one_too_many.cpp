// Wrong:   reads one element behind the end of each segment but the last.
// Caught:  the elements behind are not the identity.

#include "tests/wrong/segmented_reduce/loop.h"

namespace tandem {
namespace {

template <class C>
void one_too_many(const typename C::Args& a, Context&) {
  reduce_in_turn<C>(a, [&](std::int64_t s, std::int64_t&, std::int64_t& end, std::int64_t&) {
    if (s + 1 < a.segments.count) ++end;
  });
}

REGISTER(SegmentedReduce, one_too_many, .note = "wrong on purpose", .refuses = SegmentedReduce::refuses)

}  // namespace
}  // namespace tandem
