// needs: thrust
// thrust::reduce_by_key on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/common/openmp.h"
#include "vendor_wrappers/segmented_reduce/by_key.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context& ctx) {
  host_reduce_by_key<C>(thrust::omp::par, a, ctx);
}

REGISTER(SegmentedReduce, thrust_omp, .note = "thrust::reduce_by_key(omp::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = SegmentedReduce::refuse_gaps,
         .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
