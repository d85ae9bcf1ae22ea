// thrust::inclusive_scan_by_key and exclusive_scan_by_key on the GPU.

#include <thrust/scan.h>

#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/segmented_scan/rivals.h"

namespace tandem {
namespace {

template <ThrustSum C>
void thrust_scan_by_key(const typename C::Args& a, Context& ctx) {
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  const std::int64_t n = a.segments.n;
  call_thrust(ctx, "thrust::inclusive_scan_by_key", [&] {
    with_keys(a.segments.keys, [&]<class Word>(const Keys<Word>& keys) {
      const SameKey<Word> same{keys.floating};
      const typename C::Op op;
      if (a.exclusive)
        thrust::exclusive_scan_by_key(policy, keys.data, keys.data + n, a.in, a.out, a.init, same, op);
      else
        thrust::inclusive_scan_by_key(policy, keys.data, keys.data + n, a.in, a.out, same, op);
    });
  });
}

REGISTER(SegmentedScan, thrust_scan_by_key, .note = "thrust::inclusive_scan_by_key with cached memory",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = take_keys_alone, .repeats = false)

}  // namespace
}  // namespace tandem
