// needs: thrust tbb
// thrust::copy_if, unique_copy and stable_partition_copy on the CPU, with its TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/system/tbb/execution_policy.h>

#include "vendor_wrappers/select/thrust_calls.h"

namespace tandem {
namespace {

template <class C>
void thrust_tbb(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  T* room = a.kind == Select::Kind::partition ? ctx.scratch<T>(a.n) : nullptr;
  *a.count = thrust_kept(thrust::tbb::par, a, room);
}

REGISTER(Select, thrust_tbb, .note = "thrust::copy_if(tbb::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST))

}  // namespace
}  // namespace tandem
