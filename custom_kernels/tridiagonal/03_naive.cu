// Idea:    one thread per system, each running Thomas from end to end.
// Expect:  9 words per unknown where 5 would do: c′ and d′ are written on the way down and read on the way
//          up. Accesses to interleaved systems coalesce: row i of 32 lanes is one line. Those to contiguous
//          systems do not: 32 lanes touch 32 lines for 32 words, which may leave the cache before their other
//          words are used.
// Limits:  as many threads as systems; a batch below some ten thousand leaves the GPU idle. Deterministic.
// Source:  Thomas 1949; one thread per system as in Sakharnykh 2009, "Tridiagonal solvers on the GPU and
//          applications to fluid simulation".

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void naive_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system < a.count) thomas(a, system, above + a.first_of_all(system), a.step_of_all());
}

template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.unknowns());
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, naive_systems<C>, a, above);
}

REGISTER(Tridiagonal, naive, .note = "one thread per system", .refuses = Tridiagonal::refuse_pivot,
         .suits = Tridiagonal::suits_threads)

}  // namespace
}  // namespace tandem
