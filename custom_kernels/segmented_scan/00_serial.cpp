// Idea:    scan's loop, in which the running value begins anew with each segment. Every later step must agree with this one.
// Expect:  one dependent operation per element; where segments are short, a branch per segment that the processor guesses
//          wrong.
// Limits:  one core.

#include "custom_kernels/segmented_scan/detail/stretches.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  const std::int64_t n = a.segments.n;
  if (a.segments.form != SegmentedScan::Form::keys) return scan_range<C>(a, 0, n, a.init);
  // Runs of keys are not looked for first: each key is compared with the one before.
  with_keys(a.segments.keys, [&](const auto& keys) {
    for (std::int64_t i = 0; i < n;) {
      auto running = a.init;
      do running = scan_stretch<C>(a, i, i + 1, running);
      while (++i < n && keys.same(keys.data[i - 1], keys.data[i]));
    }
  });
}

REGISTER(SegmentedScan, serial, .note = "a loop that begins anew with each segment")

}  // namespace
}  // namespace tandem
