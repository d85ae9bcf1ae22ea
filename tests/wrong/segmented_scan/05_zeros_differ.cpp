// Wrong:   takes keys of -0 and +0 for different ones.
// Caught:  runs of zeros of both signs.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void zeros_differ(const typename C::Args& a, Context&) {
  scan_keys<C, double>(a, [](double before, double key) {
    return before != key || __builtin_signbit(before) != __builtin_signbit(key);
  });
}

REGISTER(SegmentedScan, zeros_differ, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
