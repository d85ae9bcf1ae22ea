// Idea:    Thomas with partial pivoting: of the row that is left over and the next one, that with the larger first
//          coefficient eliminates the other. An exchange fills in a second upper diagonal and nothing more.
// New:     against naive, it solves whatever is not singular.
// Expect:  11 words per unknown: c′, the filled-in e′ and d′ are written on the way down and read on the way up. Lanes
//          that exchange and lanes that do not select instead of branching.
// Limits:  as naive: as many threads as systems, coalesced for interleaved systems alone. Repeats bit for bit.
// Source:  LAPACK's ?gtsv (Anderson et al. 1999, "LAPACK Users' Guide").

#include "custom_kernels/common/kernel.cuh"
#include "custom_kernels/common/thomas.h"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void pivoting_systems(typename C::Args a, typename C::T* above) {
  using T = typename C::T;
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system >= a.count) return;
  const std::int64_t m = a.start(a.matrix, system), v = a.start(a.vector, system);
  T* second = above + a.n * a.count;  // e′: x[i] + c′·x[i+1] + e′·x[i+2] = d′
  std::int64_t failed = a.n;
  T diag = a.diag[m], upper = a.n > 1 ? a.upper[m] : T(0), rhs = a.rhs[v];  // the row that is left over
  for (std::int64_t i = 0; i < a.n; ++i) {
    const bool more = i + 1 < a.n;
    const std::int64_t at = m + (i + 1) * a.matrix.row;
    const T lower = more ? a.lower[at] : T(0), next_diag = more ? a.diag[at] : T(0),
            next_upper = i + 2 < a.n ? a.upper[at] : T(0),
            next_rhs = more ? a.rhs[v + (i + 1) * a.vector.row] : T(0);
    const bool exchange = std::abs(lower) > std::abs(diag);
    const T pivot = exchange ? lower : diag, r = T(1) / pivot;
    if (!usable(pivot) && failed == a.n) failed = i;
    const T c = (exchange ? next_diag : upper) * r, e = (exchange ? next_upper : T(0)) * r,
            d = (exchange ? next_rhs : rhs) * r;
    above[i * a.count + system] = c;
    second[i * a.count + system] = e;
    a.x[v + i * a.vector.row] = d;
    const T factor = exchange ? diag : lower;
    diag = (exchange ? upper : next_diag) - factor * c;
    upper = (exchange ? T(0) : next_upper) - factor * e;
    rhs = (exchange ? rhs : next_rhs) - factor * d;
  }
  T after = 0, after_next = 0;
  for (std::int64_t i = a.n - 1; i >= 0; --i) {
    const T x = a.x[v + i * a.vector.row] - above[i * a.count + system] * after -
                second[i * a.count + system] * after_next;
    a.x[v + i * a.vector.row] = x;
    after_next = after;
    after = x;
  }
  if (failed < a.n) report_pivot(a, system, failed);
}

template <class C>
void pivoting(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(2 * a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, pivoting_systems<C>, a, above);
}

REGISTER(Tridiagonal, pivoting, .note = "one thread per system, rows exchanged as in LAPACK")

}  // namespace
}  // namespace tandem
