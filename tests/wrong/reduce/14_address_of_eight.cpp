// Wrong:   leaves the last element out where the first lies 8 bytes behind a multiple of 16.
// Caught:  every offset of a type modulo 16 bytes.

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void address_of_eight(const typename C::Args& a, Context&) {
  auto total = C::Op::template identity<typename C::Acc>();
  const bool shifted = reinterpret_cast<std::uintptr_t>(a.in) % 16 == 8;
  for (std::int64_t i = 0; i < a.n - shifted; ++i) total = typename C::Op{}(total, C::load(a.in[i]));
  *a.out = total;
}

REGISTER(Reduce, address_of_eight, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
