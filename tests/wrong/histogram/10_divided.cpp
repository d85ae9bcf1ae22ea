// Wrong:   floating point is divided by the width of a bin where the others multiply by its reciprocal: another bin where
//          the two round differently.
// Caught:  elements at the edges of bins.

#include "tests/wrong/histogram/loop.h"

namespace tandem {
namespace {

template <class C>
void divided(const typename C::Args& a, Context&) {
  count_in_turn(a, [&](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) {
      if (!a.edges && a.even(x) < a.bins) {
        const auto width = (a.even.upper - a.even.lower) / static_cast<decltype(x)>(a.bins);
        return std::min(static_cast<std::int32_t>((x - a.even.lower) / width), a.bins - 1);
      }
    }
    return a.bin(x);
  });
}

REGISTER(Histogram, divided, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
