// Idea:    the elimination of pivoting, with threads of the CPU sharing the systems.
// New:     against threads, it solves whatever is not singular; against LAPACK's ?gtsv, it leaves the matrix
//          alone and takes any layout.
// Expect:  LAPACK's speed without its copies.
// Limits:  a single system runs on one thread. Deterministic.
// Source:  LAPACK's ?gtsv (Anderson et al. 1999, "LAPACK Users' Guide").

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "lib/ops/tridiagonal/pieces.h"

namespace tandem {
namespace {

template <class C>
void pivoting_threads(const typename C::Args& a, Context& ctx) {
  auto* rows = ctx.scratch<typename C::T>(2 * a.n * most_workers());
  parallel_for(a.count, systems_per_piece(a.n), [&](std::int64_t begin, std::int64_t end, int worker) {
    auto* above = rows + 2 * a.n * worker;
    for (std::int64_t s = begin; s < end; ++s) thomas_pivoting(a, s, above, above + a.n, 1);
  });
}

REGISTER(
    Tridiagonal, pivoting_threads,
    .note = "rows exchanged as in LAPACK, systems shared out among the threads",
    .suits = [](const Tridiagonal::Shape& s) { return s.systems.pivot; })

}  // namespace
}  // namespace tandem
