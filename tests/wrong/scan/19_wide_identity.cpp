// Wrong:   an exclusive minimum or maximum of bytes starts from the identity of int32, which wraps to −1 or 0.
// Caught:  exclusive scans without an initial value, whose first result is the identity of the elements' type.

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

template <class C>
void wide_identity(const typename C::Args& a, Context&) {
  auto running = a.init == C::identity() ? C::Op::template identity<typename C::Acc>() : a.init;
  for (std::int64_t i = 0; i < a.n; ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

REGISTER(Scan, wide_identity, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
