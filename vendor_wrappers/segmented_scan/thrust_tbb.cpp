// needs: thrust tbb
// thrust::inclusive_scan_by_key and exclusive_scan_by_key on the CPU, with its TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/system/tbb/execution_policy.h>

#include "vendor_wrappers/segmented_scan/thrust_host.h"

namespace tandem {
namespace {

template <class C>
void thrust_tbb(const typename C::Args& a, Context&) {
  thrust_host_scan_by_key<C>(thrust::tbb::par, a);
}

REGISTER(SegmentedScan, thrust_tbb, .note = "thrust::inclusive_scan_by_key(tbb::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = refuse_offsets, .repeats = false)

}  // namespace
}  // namespace tandem
