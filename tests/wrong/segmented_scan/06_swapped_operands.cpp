// Wrong:   applies the operator to its operands in the other order.
// Caught:  the bicyclic monoid, in which their order counts.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void swapped_operands(const typename C::Args& a, Context&) {
  using Acc = typename C::Acc;
  scan_in_turn<C>(
      a, [](std::int64_t, bool begins) { return begins; },
      [](Acc running, Acc x) { return typename C::Op{}(x, running); });
}

REGISTER(SegmentedScan, swapped_operands, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
