// needs: thrust tbb
// thrust::inclusive_scan and exclusive_scan on the CPU, with its TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/system/tbb/execution_policy.h>

#include "vendor_wrappers/scan/thrust_host.h"

namespace tandem {
namespace {

template <class C>
void thrust_tbb(const typename C::Args& a, Context&) {
  thrust_host_scan<C>(thrust::tbb::par, a);
}

REGISTER(Scan, thrust_tbb, .note = "thrust::inclusive_scan(tbb::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .repeats = false)

}  // namespace
}  // namespace tandem
