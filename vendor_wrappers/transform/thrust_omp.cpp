// needs: thrust
// thrust::transform on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/common/openmp.h"
#include "vendor_wrappers/transform/thrust_transform.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context&) {
  thrust_transform<C>(thrust::omp::par, a, a.f);
}

REGISTER(Transform, thrust_omp, .note = "thrust::transform(omp::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
