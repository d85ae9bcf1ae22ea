// Wrong:   reports the first system of a batch alone.
// Caught:  batches in which some systems are singular, and the first is not.

#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {
namespace {

template <class C>
void first_system_only(typename C::Args a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n);
  std::uint64_t unseen = 0, *const status = a.status;
  for (std::int64_t s = 0; s < a.count; ++s) {
    a.status = s == 0 ? status : &unseen;
    thomas(a, s, above, 1);
  }
}

REGISTER(Tridiagonal, first_system_only, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
