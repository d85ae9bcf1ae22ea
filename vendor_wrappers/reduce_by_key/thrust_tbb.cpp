// needs: thrust tbb
// thrust::reduce_by_key on the CPU, with its TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/system/tbb/execution_policy.h>

#include "vendor_wrappers/reduce_by_key/thrust_calls.h"

namespace tandem {
namespace {

template <class C>
void thrust_tbb(const typename C::Args& a, Context&) {
  *a.count = thrust_runs<C>(thrust::tbb::par, a);
}

REGISTER(ReduceByKey, thrust_tbb, .note = "thrust::reduce_by_key(tbb::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .loses_digits_on = "signed_zeros", .repeats = false,
         .deviates = "writes +0 or -0 as the key of a run that holds both")

}  // namespace
}  // namespace tandem
