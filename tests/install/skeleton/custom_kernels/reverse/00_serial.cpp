// Idea:    one loop. Every later step must agree with this one.
// Expect:  one core's share of the memory bandwidth: the compiler reverses whole vectors.
// Limits:  one core.

#include "lib/ops/reverse/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = a.in[a.n - 1 - i];
}

REGISTER(Reverse, serial, .note = "one loop")

}  // namespace
}  // namespace tandem
