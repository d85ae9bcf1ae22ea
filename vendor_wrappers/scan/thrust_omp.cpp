// needs: thrust
// thrust::inclusive_scan and exclusive_scan on the CPU, with its OpenMP system. At least up to release 3.0
// that system runs scans as a sequential loop on one thread, so none waits for another, and it may be chosen.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>

#include "vendor_wrappers/scan/thrust_host.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context&) {
  thrust_host_scan<C>(thrust::omp::par, a);
}

REGISTER(Scan, thrust_omp, .note = "thrust::inclusive_scan(omp::par), one thread inside",
         .version = LIBRARY_VERSION("Thrust", THRUST))

}  // namespace
}  // namespace tandem
