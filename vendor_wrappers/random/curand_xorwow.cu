// cuRAND's host API: XORWOW, its usual generator.
// Limits:  its numbers of a seed are others, of the same distribution; uniform ones of (0, 1] alone. n must be even for normal numbers.

#include "vendor_wrappers/random/curand.cuh"

namespace tandem {
namespace {

template <class C>
void curand_xorwow(const typename C::Args& a, Context& ctx) {
  curand_fill<C>(a, ctx, CURAND_RNG_PSEUDO_XORWOW, "curand_xorwow");
}

REGISTER(Random, curand_xorwow, .note = "CURAND_RNG_PSEUDO_XORWOW", .version = curand_version(),
         .depth = other_numbers, .refuses = curand_refuses<false>, .repeats = false,
         .deviates = kOtherNumbers)

}  // namespace
}  // namespace tandem
