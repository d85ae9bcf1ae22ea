// Idea:    Thomas with partial pivoting: of the remaining row and the next one, that with the larger first
//          coefficient is the pivot row. An exchange fills in a second upper diagonal and nothing more.
// New:     against naive, it solves whatever is not singular.
// Expect:  11 words per unknown: c′, the filled-in e′ and d′ are written on the way down and read on the way
//          up. Lanes that exchange and lanes that do not select instead of branching.
// Limits:  as naive: as many threads as systems, coalesced for interleaved systems alone. Deterministic.
// Source:  LAPACK's ?gtsv (Anderson et al. 1999, "LAPACK Users' Guide").

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void pivoting_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system >= a.count) return;
  auto* mine = above + a.first_of_all(system);
  thomas_pivoting(a, system, mine, mine + a.unknowns(), a.step_of_all());
}

template <class C>
void pivoting(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(2 * a.unknowns());
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, pivoting_systems<C>, a, above);
}

REGISTER(Tridiagonal, pivoting, .note = "one thread per system, rows exchanged as in LAPACK",
         .suits = Tridiagonal::suits_threads)

}  // namespace
}  // namespace tandem
