#pragma once
// cub::DeviceSegmentedReduce, of the CUB that the including file finds. Nothing here is shared between files, because they
// may find different ones.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_reduce.cuh>

#include "lib/ops/segmented_reduce/contract.h"
#include "vendor_wrappers/common/cub.cuh"

namespace tandem {
namespace {

/// Where segments of one length begin.
struct Multiple {
  std::int64_t stride, shift;
  TANDEM_HD std::int64_t operator()(std::int64_t s) const { return s * stride + shift; }
};

/// Calls f with the elements as CUB is to read them.
template <class C, class F>
void with_operands(const typename C::T* in, F f) {
  if constexpr (C::kLoadsPlain)
    f(in);
  else
    f(thrust::make_transform_iterator(in, typename C::Load{}));
}

template <class C>
void cub_segmented_reduce(const typename C::Args& a, Context& ctx) {
  const auto& [offsets, count, length, stride, step] = a.segments;
  const auto reduce = [&](auto begins, auto ends) {
    with_operands<C>(a.in, [&](auto in) {
      call_cub(ctx, a.segments.count, "cub::DeviceSegmentedReduce", [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::Reduce(
            scratch, bytes, in, a.out, a.segments.count, begins, ends, typename C::Op{},
            C::Op::template identity<typename C::Acc>(), static_cast<cudaStream_t>(ctx.stream()));
      });
    });
  };
  const thrust::counting_iterator<std::int64_t> index(0);
  if (offsets) {
    reduce(offsets, offsets + 1);
  } else {
    reduce(thrust::make_transform_iterator(index, Multiple{stride, 0}),
           thrust::make_transform_iterator(index, Multiple{stride, length}));
  }
}

}  // namespace
}  // namespace tandem
