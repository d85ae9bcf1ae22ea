// needs: thrust tbb
// thrust::reduce_by_key on the CPU, with its TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/system/tbb/execution_policy.h>

#include "vendor_wrappers/segmented_reduce/by_key.h"

namespace tandem {
namespace {

template <class C>
void thrust_tbb(const typename C::Args& a, Context& ctx) {
  host_reduce_by_key<C>(thrust::tbb::par, a, ctx);
}

REGISTER(SegmentedReduce, thrust_tbb, .note = "thrust::reduce_by_key(tbb::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = SegmentedReduce::refuse_gaps,
         .repeats = false)

}  // namespace
}  // namespace tandem
