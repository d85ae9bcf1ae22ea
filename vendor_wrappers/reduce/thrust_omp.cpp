// needs: thrust
// thrust::transform_reduce on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/common/openmp.h"
#include "vendor_wrappers/reduce/thrust_host.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context&) {
  thrust_host_reduce<C>(thrust::omp::par, a);
}

REGISTER(Reduce, thrust_omp, .note = "thrust::transform_reduce(omp::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
