// Wrong:   equal keys stand in any order, as a comparison of codes alone leaves them.
// Caught:  positions of keys that are equal.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void unstable(const typename C::Args& a, Context& ctx) {
  in_order::take_by(a, codes_with_positions(a, ctx),
                    [](const auto& x, const auto& y) { return x.code < y.code; });
}

REGISTER(TopK, unstable, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
