// Wrong:   forgets the initial value of an inclusive scan in place.
// Caught:  all eight variants.

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

template <class C>
void init_lost_in_place(const typename C::Args& a, Context&) {
  using T = typename C::Acc;
  T running = !a.exclusive && a.in == a.out ? C::Op::template identity<T>() : a.init;
  for (std::int64_t i = 0; i < a.n; ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

REGISTER(Scan, init_lost_in_place, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
