// Wrong:   above a million elements the last one is left out.
// Caught:  a size above 2^20 in the quick coverage.

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void long_tail(const typename C::Args& a, Context&) {
  auto total = C::Op::template identity<typename C::Acc>();
  const bool cut = a.n > 1000000;
  for (std::int64_t i = 0; i < a.n - cut; ++i) total = typename C::Op{}(total, C::load(a.in[i]));
  *a.out = total;
}

REGISTER(Reduce, long_tail, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
