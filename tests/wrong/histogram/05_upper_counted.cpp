// Wrong:   what equals the upper limit, or the last edge, is counted in the last bin.
// Caught:  elements at the limits.

#include "tests/wrong/histogram/loop.h"

namespace tandem {
namespace {

template <class C>
void upper_counted(const typename C::Args& a, Context&) {
  const auto upper = [&] {
    if (a.edges) return a.edges[a.bins];
    if constexpr (std::is_integral_v<typename C::T>)
      return a.even.high();
    else
      return a.even.upper;
  }();
  count_in_turn(a, [&](auto x) { return static_cast<decltype(upper)>(x) == upper ? a.bins - 1 : a.bin(x); });
}

REGISTER(Histogram, upper_counted, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
