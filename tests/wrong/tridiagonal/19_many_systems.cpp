// Wrong:   solves no more than 4,000 systems.
// Caught:  a batch of more in the quick coverage.

#include <algorithm>

#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {
namespace {

template <class C>
void many_systems(typename C::Args a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n);
  for (std::int64_t s = 0; s < std::min<std::int64_t>(a.count, 4000); ++s) thomas(a, s, above, 1);
}

REGISTER(Tridiagonal, many_systems, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
