// cuRAND's host API: Sobol's points of 32 bits, coordinate by coordinate.
// Limits:  its numbers of a seed are others, of the same distribution; uniform ones of (0, 1] alone. n must be a
//          multiple of the dimensions.

#include "vendor_wrappers/random/curand.cuh"

namespace tandem {
namespace {

template <class C>
void curand_sobol(const typename C::Args& a, Context& ctx) {
  curand_fill<C>(a, ctx, CURAND_RNG_QUASI_SOBOL32, "curand_sobol");
}

REGISTER(Random, curand_sobol, .note = "CURAND_RNG_QUASI_SOBOL32", .version = curand_version(),
         .depth = other_numbers, .refuses = curand_refuses<true>, .repeats = false, .deviates = kOtherNumbers)

}  // namespace
}  // namespace tandem
