// cub::DeviceTransform: the library to beat. One launch; on Hopper each block loads its tile into
// shared memory by bulk copies.

#include <cub/device/device_transform.cuh>
#include <cub/version.cuh>
#include <cuda/std/tuple>

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class C>
void cub_transform(const typename C::Args& a, Context& ctx) {
  const auto inputs = [&]<std::size_t... k>(std::index_sequence<k...>) {
    return ::cuda::std::make_tuple(a.in[k]...);
  }
  (std::make_index_sequence<C::kInputs>{});
  check_cuda(
      cub::DeviceTransform::Transform(inputs, a.out, a.n, a.f, static_cast<cudaStream_t>(ctx.stream())), ctx,
      "cub::DeviceTransform");
}

REGISTER(Transform, cub_transform, .note = "cub::DeviceTransform", .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
