// Idea:    Poisson numbers by rejection: a lane whose attempt is accepted takes the warp's next number at once.
// New:     against packs, no lane waits until the last number of 32 is accepted: all lanes make attempts until a warp runs
//          out of numbers.
// Expect:  1.2 attempts for a number, where a warp of packs makes two or three.
// Limits:  Poisson numbers above a mean of 64 alone. Up to a third of the attempts take four logarithms of doubles, and then
//          all lanes of a warp wait for these. A warp's last numbers leave lanes idle, which short arrays feel.
// Source:  Aila, Laine 2009, "Understanding the efficiency of ray traversal on GPUs".

#include "custom_kernels/random/detail/refill.cuh"

namespace tandem {
namespace {

using detail::PoissonRejection;

struct InDoubles {
  __device__ bool operator()(const PoissonRejection& exact, const PoissonRejection::Attempt& x) const {
    return exact.surely(x) || (!exact.never(x) && exact.accepts(x));
  }
};

template <class C>
requires(detail::is_word<typename C::T>()) void refill(const typename C::Args& a, Context& ctx) {
  launch_refill<C>(a, ctx, PoissonRejection(a.distribution.first), InDoubles());
}

REGISTER(Random, refill, .note = "Poisson by rejection: a lane that is done takes the warp's next number",
         .refuses = refuse_quantiles)

}  // namespace
}  // namespace tandem
