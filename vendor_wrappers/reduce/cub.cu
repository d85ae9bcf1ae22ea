// cub::DeviceReduce: the library to beat. Two kernels for all but small inputs, no return to the host.

#include <cub/device/device_reduce.cuh>

#include "lib/ops/reduce/contract.h"
#include "vendor_wrappers/common/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_reduce(const typename C::Args& a, Context& ctx) {
  using Op = typename C::Op;
  const auto identity = Op::template identity<typename C::Acc>();
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  call_cub(ctx, a.n, "cub::DeviceReduce", [&](void* scratch, std::size_t& bytes) {
    if constexpr (C::kLoadsPlain) {
      return cub::DeviceReduce::Reduce(scratch, bytes, a.in, a.out, a.n, Op{}, identity, stream);
    } else {
      return cub::DeviceReduce::TransformReduce(scratch, bytes, a.in, a.out, a.n, Op{}, typename C::Load{},
                                                identity, stream);
    }
  });
}

REGISTER(Reduce, cub_reduce, .note = "cub::DeviceReduce", .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
