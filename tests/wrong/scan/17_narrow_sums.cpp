// Wrong:   half and bfloat16 are rounded after every application, not each result once.
// Caught:  sums of small whole numbers are exact in float, but not in 11 or 8 bits.

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

template <class C>
void narrow_sums(const typename C::Args& a, Context&) {
  auto running = a.init;
  for (std::int64_t i = 0; i < a.n; ++i) {
    const auto next = C::load(C::result(typename C::Op{}(running, C::load(a.in[i]))));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

REGISTER(Scan, narrow_sums, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
