// Wrong:   takes NaNs side by side for a run.
// Caught:  runs of NaN keys.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void nan_equal(const typename C::Args& a, Context&) {
  scan_keys<C, float>(
      a, [](float before, float key) { return before != key && !(before != before && key != key); });
}

REGISTER(SegmentedScan, nan_equal, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
