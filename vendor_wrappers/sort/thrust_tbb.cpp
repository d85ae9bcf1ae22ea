// needs: thrust tbb
// thrust::stable_sort and stable_sort_by_key on the CPU, with its TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/system/tbb/execution_policy.h>

#include "vendor_wrappers/sort/thrust_host.h"

namespace tandem {
namespace {

template <ThrustHostCase C>
void thrust_tbb(const typename C::Args& a, Context& ctx) {
  thrust_host_sort<C>(thrust::tbb::par, a, ctx);
}

REGISTER(
    Sort, thrust_tbb, .note = "thrust::stable_sort(tbb::par)", .version = LIBRARY_VERSION("Thrust", THRUST),
    .suits = [](const Sort::Shape& shape) { return shape.suits_comparisons(2048); })

}  // namespace
}  // namespace tandem
