// cuRAND's host API: Philox4x32-10, whose numbers come in another order.
// Limits:  its numbers of a seed are others, of the same distribution; uniform ones of (0, 1] alone. n must be even for normal numbers.

#include "vendor_wrappers/random/curand.cuh"

namespace tandem {
namespace {

template <class C>
void curand(const typename C::Args& a, Context& ctx) {
  curand_fill<C>(a, ctx, CURAND_RNG_PSEUDO_PHILOX4_32_10, "curand");
}

REGISTER(Random, curand, .note = "CURAND_RNG_PSEUDO_PHILOX4_32_10", .version = curand_version(),
         .depth = other_numbers, .refuses = curand_refuses<false>, .repeats = false,
         .deviates = kOtherNumbers)

}  // namespace
}  // namespace tandem
