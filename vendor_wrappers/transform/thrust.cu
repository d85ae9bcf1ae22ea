// thrust::transform on the GPU: cub::DeviceTransform behind iterators; it unpacks zip iterators. The
// wrapper declares that the function may be given copies of its arguments: without that Thrust would not
// stage them in shared memory.

#include <cuda/functional>

#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/transform/thrust_transform.h"

namespace tandem {
namespace {

template <class C>
void thrust_device(const typename C::Args& a, Context& ctx) {
  const auto policy = thrust::cuda::par_nosync.on(static_cast<cudaStream_t>(ctx.stream()));
  call_thrust(ctx, "thrust::transform",
              [&] { thrust_transform<C>(policy, a, ::cuda::proclaim_copyable_arguments(a.f)); });
}

REGISTER(Transform, thrust_device, .note = "thrust::transform, zip_iterator",
         .version = LIBRARY_VERSION("Thrust", THRUST))

}  // namespace
}  // namespace tandem
