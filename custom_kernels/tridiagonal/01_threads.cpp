// Idea:    systems are independent, so threads share them.
// New:     against serial, all cores.
// Expect:  as many times serial's speed as there are cores, until the memory is busy.
// Limits:  a single system runs on one thread; interleaved systems still use one element of each cache line.
// Source:  Dongarra, Duff, Sorensen, van der Vorst 1998, "Numerical linear algebra for high-performance
//          computers", on solving many systems at once.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "lib/ops/tridiagonal/pieces.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * most_workers());
  parallel_for(a.count, systems_per_piece(a.n), [&](std::int64_t begin, std::int64_t end, int worker) {
    auto* mine = above + a.n * worker;
    for (std::int64_t s = begin; s < end; ++s) thomas(a, s, mine, 1);
  });
}

REGISTER(Tridiagonal, threads, .note = "Thomas, systems shared out among the threads",
         .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
