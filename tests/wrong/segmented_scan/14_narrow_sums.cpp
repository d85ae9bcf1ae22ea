// Wrong:   half and bfloat16 are rounded after every application, not each result once.
// Caught:  sums of small whole numbers are exact in float, but not in 11 or 8 bits.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void narrow_sums(const typename C::Args& a, Context&) {
  using Acc = typename C::Acc;
  scan_in_turn<C>(
      a, [](std::int64_t, bool begins) { return begins; },
      [](Acc running, Acc x) { return C::load(C::result(typename C::Op{}(running, x))); });
}

REGISTER(SegmentedScan, narrow_sums, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
