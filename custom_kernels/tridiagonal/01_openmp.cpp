// Idea:    systems are independent, so threads share them.
// New:     against serial, all cores.
// Expect:  as many times serial's speed as there are cores, until the memory is busy.
// Limits:  a single system runs on one thread; interleaved systems still use one element of each cache line.
// Source:  OpenMP specification, "parallel".

#include <omp.h>

#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {
namespace {

constexpr std::int64_t kSerialUnknowns = 1 << 12;  // up to this many, starting threads would cost more

template <class C>
void openmp(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * omp_get_max_threads());
#pragma omp parallel if (a.n * a.count > kSerialUnknowns)
  {
    auto* mine = above + a.n * omp_get_thread_num();
#pragma omp for schedule(static)
    for (std::int64_t s = 0; s < a.count; ++s) thomas(a, s, mine, 1);
  }
}

REGISTER(Tridiagonal, openmp, .note = "Thomas, systems shared out among the threads",
         .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
