// Wrong:   writes an exclusive result before it reads the element that lies there.
// Caught:  exclusive scans in place.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void overwritten(const typename C::Args& a, Context&) {
  scan_in_turn<C>(a, [&](std::int64_t i, bool begins) {
    if (i > 0 && !begins && a.exclusive) a.out[i] = a.out[i - 1];
    return begins;
  });
}

REGISTER(SegmentedScan, overwritten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
