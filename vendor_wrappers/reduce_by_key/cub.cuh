#pragma once
// cub::DeviceReduce::ReduceByKey, of the CUB that the including file finds. Nothing here is shared between files, because
// they may find different ones. It compares keys by ==, so floating-point ones come as what they are.

#include <cub/device/device_reduce.cuh>

#include "lib/ops/reduce_by_key/contract.h"
#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/segmented_scan/operands.h"

namespace tandem {
namespace {

template <class C>
void cub_reduce_by_key(const typename C::Args& a, Context& ctx) {
  const auto of = [&]<class Key>() {
    call_cub(ctx, a.n, "cub::DeviceReduce::ReduceByKey", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::ReduceByKey(scratch, bytes, static_cast<const Key*>(a.keys.data),
                                            static_cast<Key*>(a.keys_out), operands<C>(a.in), a.out, a.count,
                                            typename C::Op{}, a.n, static_cast<cudaStream_t>(ctx.stream()));
    });
  };
  const bool floating = is_floating(a.keys.type);
  if (size_of(a.keys.type) == 4)
    floating ? of.template operator()<float>() : of.template operator()<std::uint32_t>();
  else
    floating ? of.template operator()<double>() : of.template operator()<std::uint64_t>();
}

}  // namespace
}  // namespace tandem
