// Idea:    one accumulator, two loops: over the segments, over the elements of each. Every later step must agree with
//          this one.
// Expect:  as reduce's loop, one dependent operation per element; and for short segments a branch per segment that the
//          processor guesses wrong.
// Limits:  one core; an error that grows with the length.

#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  const SegmentedReduce::Layout& segments = a.segments;
  for (std::int64_t s = 0; s < segments.count; ++s) {
    const auto* element = a.in + segments.begin(s);
    const std::int64_t length = segments.length_of(s);
    auto total = C::Op::template identity<typename C::Acc>();
    for (std::int64_t i = 0; i < length; ++i, element += segments.step)
      total = typename C::Op{}(total, C::load(*element));
    a.out[s] = total;
  }
}

REGISTER(SegmentedReduce, serial, .note = "two loops", .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
