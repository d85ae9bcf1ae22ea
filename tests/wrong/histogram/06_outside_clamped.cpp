// Wrong:   elements below all bins are counted in the first one.
// Caught:  elements outside.

#include "tests/wrong/histogram/loop.h"

namespace tandem {
namespace {

template <class C>
void outside_clamped(const typename C::Args& a, Context&) {
  using Edge = typename C::Args::Edge;
  const auto lower = [&]() -> Edge {
    if (a.edges) return a.edges[0];
    if constexpr (std::is_integral_v<typename C::T>)
      return a.even.low();
    else
      return a.even.lower;
  }();
  count_in_turn(a, [&](auto x) { return static_cast<Edge>(x) < lower ? 0 : a.bin(x); });
}

REGISTER(Histogram, outside_clamped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
