// needs: thrust tbb
// thrust::transform on the CPU, with its TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/system/tbb/execution_policy.h>

#include "vendor_wrappers/transform/thrust_transform.h"

namespace tandem {
namespace {

template <class C>
void thrust_tbb(const typename C::Args& a, Context&) {
  thrust_transform<C>(thrust::tbb::par, a, a.f);
}

REGISTER(Transform, thrust_tbb, .note = "thrust::transform(tbb::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST))

}  // namespace
}  // namespace tandem
