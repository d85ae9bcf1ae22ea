// needs: thrust
// thrust::copy_if, unique_copy and stable_partition_copy on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/common/openmp.h"
#include "vendor_wrappers/select/thrust_calls.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  T* room = a.kind == Select::Kind::partition ? ctx.scratch<T>(a.n) : nullptr;
  *a.count = thrust_kept(thrust::omp::par, a, room);
}

REGISTER(Select, thrust_omp, .note = "thrust::copy_if(omp::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
