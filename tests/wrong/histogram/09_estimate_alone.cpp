// Wrong:   integers are mapped by the reciprocal alone, which is one bin too low at some edges.
// Caught:  elements at the edges of bins, and ranges that bins do not divide.

#include "tests/wrong/histogram/loop.h"

namespace tandem {
namespace {

template <class C>
void estimate_alone(const typename C::Args& a, Context&) {
  count_in_turn(a, [&](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>) {
      if (!a.edges && a.even(x) < a.bins) {
        const std::uint32_t at = static_cast<std::uint32_t>(x) - a.even.lower;
        return static_cast<std::int32_t>(at * a.even.scale >> 32);
      }
    }
    return a.bin(x);
  });
}

REGISTER(Histogram, estimate_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
