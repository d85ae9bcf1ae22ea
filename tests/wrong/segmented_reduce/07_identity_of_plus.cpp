// Wrong:   begins each segment at 0, whatever the operator.
// Caught:  maxima of negative numbers, and of nothing.

#include "tests/wrong/segmented_reduce/loop.h"

namespace tandem {
namespace {

template <class C>
void identity_of_plus(const typename C::Args& a, Context&) {
  reduce_in_turn<C>(a, [](std::int64_t, std::int64_t&, std::int64_t&, std::int64_t&) {});
  for (std::int64_t s = 0; s < a.segments.count; ++s)
    a.out[s] = typename C::Op{}(typename C::Acc(0), a.out[s]);
}

REGISTER(SegmentedReduce, identity_of_plus, .note = "wrong on purpose", .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
