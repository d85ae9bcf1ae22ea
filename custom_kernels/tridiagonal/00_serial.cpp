// Idea:    Thomas' algorithm, one system after the other.
// Expect:  bound by the latency of its dependence chain: a quotient and three more operations per row.
// Limits:  one thread. Interleaved systems use one element of each cache line they touch.
// Source:  Thomas 1949, "Elliptic problems in linear difference equations over a network".

#include <vector>

#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n);
  for (std::int64_t s = 0; s < a.count; ++s) thomas(a, s, above, 1);
}

REGISTER(Tridiagonal, serial, .note = "Thomas, system by system", .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
