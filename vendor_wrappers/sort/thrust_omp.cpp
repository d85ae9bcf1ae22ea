// needs: thrust
// thrust::stable_sort and stable_sort_by_key on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/common/openmp.h"
#include "vendor_wrappers/sort/thrust_host.h"

namespace tandem {
namespace {

template <ThrustHostCase C>
void thrust_omp(const typename C::Args& a, Context& ctx) {
  thrust_host_sort<C>(thrust::omp::par, a, ctx);
}

REGISTER(
    Sort, thrust_omp, .note = "thrust::stable_sort(omp::par)", .version = LIBRARY_VERSION("Thrust", THRUST),
    .suits = [](const Sort::Shape& shape) { return shape.suits_comparisons(2048); },
    .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
