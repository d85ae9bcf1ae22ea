// needs: thrust
// thrust::reduce_by_key on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/common/openmp.h"
#include "vendor_wrappers/reduce_by_key/thrust_calls.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context&) {
  *a.count = thrust_runs<C>(thrust::omp::par, a);
}

REGISTER(ReduceByKey, thrust_omp, .note = "thrust::reduce_by_key(omp::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .repeats = false, .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
