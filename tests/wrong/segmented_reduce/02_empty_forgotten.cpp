// Wrong:   writes no result of an empty segment, as a reduction by keys knows none.
// Caught:  results are poisoned before each run.

#include "tests/wrong/segmented_reduce/loop.h"

namespace tandem {
namespace {

template <class C>
void empty_forgotten(const typename C::Args& a, Context&) {
  for (std::int64_t s = 0; s < a.segments.count; ++s) {
    if (a.segments.length_of(s) == 0) continue;
    auto total = C::Op::template identity<typename C::Acc>();
    for (std::int64_t i = a.segments.begin(s); i < a.segments.end(s); ++i)
      total = typename C::Op{}(total, C::load(a.in[i]));
    a.out[s] = total;
  }
}

REGISTER(SegmentedReduce, empty_forgotten, .note = "wrong on purpose", .refuses = SegmentedReduce::refuses)

}  // namespace
}  // namespace tandem
