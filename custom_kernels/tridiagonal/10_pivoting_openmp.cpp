// Idea:    the elimination of pivoting, with threads of the CPU sharing the systems.
// New:     against openmp, it solves whatever is not singular; against LAPACK's ?gtsv, it leaves the matrix
//          alone and takes any layout.
// Expect:  LAPACK's speed without its copies.
// Limits:  a single system runs on one thread. Deterministic.
// Source:  LAPACK's ?gtsv (Anderson et al. 1999, "LAPACK Users' Guide").

#include <omp.h>

#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {
namespace {

constexpr std::int64_t kSerialUnknowns = 1 << 12;  // up to this many, starting threads would cost more

template <class C>
void pivoting_openmp(const typename C::Args& a, Context& ctx) {
  auto* rows = ctx.scratch<typename C::T>(2 * a.n * omp_get_max_threads());
#pragma omp parallel if (a.n * a.count > kSerialUnknowns)
  {
    auto* above = rows + 2 * a.n * omp_get_thread_num();
#pragma omp for schedule(static)
    for (std::int64_t s = 0; s < a.count; ++s) thomas_pivoting(a, s, above, above + a.n, 1);
  }
}

REGISTER(
    Tridiagonal, pivoting_openmp, .note = "rows exchanged as in LAPACK, systems shared out among the threads",
    .suits = [](const Tridiagonal::Shape& s) { return s.systems.pivot; })

}  // namespace
}  // namespace tandem
