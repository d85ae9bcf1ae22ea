// Wrong:   scans on from segment to segment.
// Caught:  segments of more than one element, none of which is the identity.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void not_anew(const typename C::Args& a, Context&) {
  scan_in_turn<C>(a, [](std::int64_t i, bool begins) { return begins && i == 0; });
}

REGISTER(SegmentedScan, not_anew, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
