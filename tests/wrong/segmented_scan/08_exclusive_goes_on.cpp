// Wrong:   begins an exclusive scan of a segment with what the one before it came to.
// Caught:  exclusive scans of segments that follow others.

#include "tests/wrong/segmented_scan/loop.h"

namespace tandem {
namespace {

template <class C>
void exclusive_goes_on(const typename C::Args& a, Context&) {
  constexpr typename C::Op op;
  typename C::Acc running = a.init;
  for_stretches(a.segments, 0, a.segments.n, [&](std::int64_t from, std::int64_t to, bool) {
    for (std::int64_t i = from; i < to; ++i) {
      const auto x = C::load(a.in[i]), before = running;
      running = op(i == from ? a.init : running, x);
      a.out[i] = C::result(a.exclusive ? before : running);
    }
  });
}

REGISTER(SegmentedScan, exclusive_goes_on, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
