// Idea:    one loop, which adds 1 to the count of each element's bin. Every later step must agree with this one.
// Expect:  a load, an addition and a store for each element. Where neighbours fall in one bin, a count is loaded right
//          behind the store of the one before, and each such pair waits for the other: some five cycles.
// Limits:  one core.

#include <algorithm>

#include "lib/ops/histogram/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  std::fill_n(a.counts, a.bins, 0);
  for (std::int64_t i = 0; i < a.n; ++i) {
    if (const std::int32_t bin = a.bin(a.in[i]); bin < a.bins) ++a.counts[bin];
  }
}

REGISTER(Histogram, serial, .note = "one loop")

}  // namespace
}  // namespace tandem
