// cuRAND's host API: MTGP32, a Mersenne twister for GPUs; it cannot skip ahead.
// Limits:  its numbers of a seed are others, of the same distribution; uniform ones of (0, 1] alone. n must be even for normal numbers. Offsets are ignored.

#include "vendor_wrappers/random/curand.cuh"

namespace tandem {
namespace {

template <class C>
void curand_mtgp32(const typename C::Args& a, Context& ctx) {
  curand_fill<C>(a, ctx, CURAND_RNG_PSEUDO_MTGP32, "curand_mtgp32");
}

REGISTER(Random, curand_mtgp32, .note = "CURAND_RNG_PSEUDO_MTGP32", .version = curand_version(),
         .depth = other_numbers, .refuses = curand_refuses<false>, .repeats = false,
         .deviates = kOtherNumbers)

}  // namespace
}  // namespace tandem
