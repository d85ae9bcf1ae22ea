// cub::DeviceReduce: the library to beat. Two kernels for all but small inputs, no return to the host.

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include "tandem/device/launch.cuh"
#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void cub_reduce(const typename C::Args& a, Context& ctx) {
  using Op = typename C::Op;
  const auto identity = Op::template identity<typename C::Acc>();
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  const auto call = [&](void* scratch, std::size_t& bytes) {
    if constexpr (C::kLoadsPlain) {
      return cub::DeviceReduce::Reduce(scratch, bytes, a.in, a.out, a.n, Op{}, identity, stream);
    } else {
      return cub::DeviceReduce::TransformReduce(scratch, bytes, a.in, a.out, a.n, Op{}, typename C::Load{},
                                                identity, stream);
    }
  };
  // The size of the scratch memory depends on n alone, so a careful caller asks once, and so do we.
  static thread_local std::int64_t known_n = -1;
  static thread_local std::size_t bytes = 0;
  if (known_n != a.n) check_cuda(call(nullptr, bytes), ctx, "cub::DeviceReduce (size of its scratch)");
  known_n = a.n;
  check_cuda(call(ctx.scratch<std::byte>(static_cast<std::int64_t>(bytes)), bytes), ctx,
                "cub::DeviceReduce");
}

REGISTER(Reduce, cub_reduce, .note = "cub::DeviceReduce", .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
