// Idea:    scan's loop, in which the running value begins anew with each segment. Every later step must agree with this one.
// Expect:  one dependent operation per element; where segments are short, a branch per segment that the processor guesses
//          wrong.
// Limits:  one core.

#include "custom_kernels/segmented_scan/detail/stretches.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  scan_range<C>(a, 0, a.segments.n, a.init);
}

REGISTER(SegmentedScan, serial, .note = "a loop that begins anew with each segment")

}  // namespace
}  // namespace tandem
