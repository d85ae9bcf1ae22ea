// Wrong:   reports row 0 of a singular system, whatever row has no pivot.
// Caught:  the exact system and row are expected.

#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {
namespace {

template <class C>
void first_row_always(typename C::Args a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n);
  std::uint64_t* const status = a.status;
  for (std::int64_t s = 0; s < a.count; ++s) {
    std::uint64_t seen = 0;
    a.status = &seen;
    thomas(a, s, above, 1);
    if (seen != 0) report_pivot(status, a.n, s, 0);
  }
}

REGISTER(Tridiagonal, first_row_always, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
