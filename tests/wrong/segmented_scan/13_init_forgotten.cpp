// Wrong:   begins the first segment with the initial value, all others with the identity.
// Caught:  exclusive scans with an initial value, of more than one segment.

#include "custom_kernels/segmented_scan/detail/stretches.h"

namespace tandem {
namespace {

template <class C>
void init_forgotten(const typename C::Args& a, Context&) {
  bool first = true;
  for_stretches(a.segments, 0, a.segments.n, [&](std::int64_t from, std::int64_t to, bool) {
    scan_stretch<C>(a, from, to, first ? a.init : C::identity());
    first = false;
  });
}

REGISTER(SegmentedScan, init_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
