// thrust::reduce_by_key on the GPU: CUB's kernels behind iterators. The host has to know which elements have keys, and
// gets the end of the results.

#include "lib/core/context_impl.h"
#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/segmented_reduce/by_key.h"

namespace tandem {
namespace {

template <ThrustSum C>
void thrust_by_key(const typename C::Args& a, Context& ctx) {
  const SegmentedReduce::Layout& segments = a.segments;
  std::int64_t begin = 0, end = segments.count * segments.length;
  if (segments.offsets) {
    ctx.copy(&begin, segments.offsets, sizeof begin);
    ctx.copy(&end, segments.offsets + segments.count, sizeof end);
    backend(ctx).wait();
  }
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  auto* const keys = ctx.scratch<std::int64_t>(segments.offsets ? end - begin : 0);
  auto* const found = ctx.scratch<std::int64_t>(segments.count);
  auto* const values = ctx.scratch<typename C::Acc>(segments.count);
  call_thrust(ctx, "thrust::reduce_by_key",
              [&] { reduce_by_key<C>(policy, a, begin, end, keys, found, values, typename C::Op{}); });
}

REGISTER(SegmentedReduce, thrust_by_key, .note = "thrust::reduce_by_key with cached memory",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = SegmentedReduce::refuse_gaps,
         .synchronises = true, .deviates = "loses the error of a launch that fails")

}  // namespace
}  // namespace tandem
