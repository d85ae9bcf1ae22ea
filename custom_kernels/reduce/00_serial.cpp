// Idea:    one accumulator, one loop. Every later step must agree with this one.
// Expect:  one dependent operation per element: about four cycles each for a floating-point sum, far below
//          what memory could deliver, because the compiler may not reorder the additions.
// Limits:  one core; an error that grows with n.

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t i = 0; i < a.n; ++i) total = typename C::Op{}(total, C::load(a.in[i]));
  *a.out = total;
}

REGISTER(Reduce, serial, .note = "one loop")

}  // namespace
}  // namespace tandem
