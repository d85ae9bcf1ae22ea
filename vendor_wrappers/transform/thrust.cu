// thrust::transform on the GPU: cub::DeviceTransform behind iterators, zip iterators taken apart again. It is told
// that the function may get copies of its arguments, without which it would not stage them.

#include <thrust/execution_policy.h>
#include <thrust/system_error.h>
#include <cuda/functional>

#include "tandem/device/launch.cuh"
#include "vendor_wrappers/transform/thrust_transform.h"

namespace tandem {
namespace {

template <class C>
void thrust_device(const typename C::Args& a, Context& ctx) {
  const auto policy = thrust::cuda::par_nosync.on(static_cast<cudaStream_t>(ctx.stream()));
  try {
    thrust_transform<C>(policy, a, ::cuda::proclaim_copyable_arguments(a.f));
  } catch (const thrust::system_error& error) {
    check_cuda(static_cast<cudaError_t>(error.code().value()), ctx, "thrust::transform");
    throw;
  }
}

REGISTER(Transform, thrust_device, .note = "thrust::transform, zip_iterator",
         .version = LIBRARY_VERSION("Thrust", THRUST))

}  // namespace
}  // namespace tandem
