// needs: thrust
// thrust::inclusive_scan_by_key and exclusive_scan_by_key on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/common/openmp.h"
#include "vendor_wrappers/segmented_scan/thrust_host.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context&) {
  thrust_host_scan_by_key<C>(thrust::omp::par, a);
}

REGISTER(SegmentedScan, thrust_omp, .note = "thrust::inclusive_scan_by_key(omp::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = refuse_offsets, .repeats = false,
         .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
