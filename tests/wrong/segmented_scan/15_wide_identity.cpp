// Wrong:   an exclusive minimum or maximum of bytes starts from the identity of int32, which wraps to -1 or 0.
// Caught:  exclusive scans without an initial value, which begin with the identity of the elements' type.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void wide_identity(const typename C::Args& given, Context&) {
  typename C::Args a = given;
  if (!a.with_init) a.init = C::Op::template identity<typename C::Acc>();
  scan_in_turn<C>(a, [](std::int64_t, bool begins) { return begins; });
}

REGISTER(SegmentedScan, wide_identity, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
