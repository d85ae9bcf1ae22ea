// Wrong:   gives the elements behind the last segment results, too.
// Caught:  elements outside of all segments, and what lies in out there.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void outside_written(const typename C::Args& a, Context&) {
  scan_in_turn<C>(a, [](std::int64_t, bool begins) { return begins; });
  for (std::int64_t i = a.segments.to(); i < a.segments.n; ++i) a.out[i] = a.in[i];
}

REGISTER(SegmentedScan, outside_written, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
