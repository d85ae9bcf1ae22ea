// Wrong:   counters of 16 bits, which overflow where many elements are in one bin.
// Caught:  more than 65,535 elements in one bin.

#include <vector>

#include "tests/wrong/histogram/loop.h"

namespace tandem {
namespace {

template <class C>
void short_counter(const typename C::Args& a, Context&) {
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(a.bins));
  for (std::int64_t i = 0; i < a.n; ++i) {
    if (const std::int32_t bin = a.bin(a.in[i]); bin < a.bins) ++counts[static_cast<std::size_t>(bin)];
  }
  std::copy(counts.begin(), counts.end(), a.counts);
}

REGISTER(Histogram, short_counter, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
