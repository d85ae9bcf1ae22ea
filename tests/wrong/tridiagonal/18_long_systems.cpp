// Wrong:   leaves the last value of systems of more than 2,049 rows as it is.
// Caught:  longer systems in the quick coverage.

#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {
namespace {

template <class C>
void long_systems(typename C::Args a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n);
  for (std::int64_t s = 0; s < a.count; ++s) {
    const auto [m, v, n] = a.locate(s);
    const auto last = a.x[v + (n - 1) * a.vector.row];
    thomas(a, s, above, 1);
    if (n > 2049) a.x[v + (n - 1) * a.vector.row] = last;
  }
}

REGISTER(Tridiagonal, long_systems, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
