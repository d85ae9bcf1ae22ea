#pragma once
// cub::DeviceReduce, of the CUB that the including file finds. Nothing here is shared between files, because
// they may find different ones.

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

}  // namespace
}  // namespace tandem
