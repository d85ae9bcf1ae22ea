// Wrong:   all threads keep what they eliminate in the same scratch.
// Caught:  pieces are done in turn, and scratch that two workers write to is wrong, whatever came out.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "lib/ops/tridiagonal/pieces.h"

namespace tandem {
namespace {

template <class C>
void shared_scratch(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n);
  parallel_for(a.count, systems_per_piece(a.n), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t s = begin; s < end; ++s) thomas(a, s, above, 1);
  });
}

REGISTER(Tridiagonal, shared_scratch, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
