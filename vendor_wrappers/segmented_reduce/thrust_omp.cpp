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
  const std::int64_t count = a.segments.count, begin = a.segments.begin(0), end = a.segments.end(count - 1);
  reduce_by_key<C>(thrust::omp::par, a, begin, end,
                   ctx.scratch<std::int64_t>(a.segments.offsets ? end - begin : 0),
                   ctx.scratch<std::int64_t>(count), ctx.scratch<typename C::T>(count));
}

REGISTER(SegmentedReduce, thrust_omp, .note = "thrust::reduce_by_key(omp::par)",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = SegmentedReduce::refuse_gaps,
         .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
