// Idea:    one loop.
// Expect:  one core's share of the memory's bandwidth. The result of a step does not depend on the one
//          before, so nothing waits, and the compiler may use vector instructions. What is written is first
//          read into the cache: three words per element for z = f(x) where two would do.
// Limits:  one core.

#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = C::at(a, i);
}

REGISTER(Transform, serial, .note = "one loop")

}  // namespace
}  // namespace tandem
