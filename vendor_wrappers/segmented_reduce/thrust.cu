// thrust::reduce_by_key on the GPU: CUB's kernels behind iterators. It returns to the host with the end of its results,
// and elements before the first segment and behind the last are found there, too.

#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/segmented_reduce/by_key.h"

namespace tandem {
namespace {

template <class C>
void thrust_by_key(const typename C::Args& a, Context& ctx) {
  std::int64_t begin = 0, end = a.segments.count * a.segments.length;
  if (a.segments.offsets) {
    ctx.copy(&begin, a.segments.offsets, sizeof begin);
    ctx.copy(&end, a.segments.offsets + a.segments.count, sizeof end);
    ctx.synchronize();
  }
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  call_thrust(ctx, "thrust::reduce_by_key", [&] {
    reduce_by_key<C>(policy, a, begin, end, ctx.scratch<std::int64_t>(a.segments.offsets ? end - begin : 0),
                     ctx.scratch<std::int64_t>(a.segments.count),
                     ctx.scratch<typename C::T>(a.segments.count));
  });
}

REGISTER(SegmentedReduce, thrust_by_key, .note = "thrust::reduce_by_key with cached memory",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = SegmentedReduce::refuse_gaps,
         .synchronises = true)

}  // namespace
}  // namespace tandem
