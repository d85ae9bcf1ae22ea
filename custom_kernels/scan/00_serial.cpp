// Idea:    carry one running value through the array: the definition, written as a loop.
// Expect:  one dependent operation per element; on one core about four cycles each for a floating-point sum.
// Limits:  one core; an error that grows with n.

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  auto running =
      C::load(a.init);  // an operand already; said here, a truth value is not asked for again and again
  for (std::int64_t i = 0; i < a.n; ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

REGISTER(Scan, serial, .note = "one loop")

}  // namespace
}  // namespace tandem
