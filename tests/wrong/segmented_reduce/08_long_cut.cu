// Wrong:   a warp reads each segment once, two elements a lane, so that of a long one the rest is left out.
// Caught:  segments of more than 64 elements.

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void long_cut_warp(typename C::Args a) {
  const std::int64_t s = blockIdx.x, length = a.segments.length_of(s);
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t i = threadIdx.x; i < length && i < 2 * kWarp; i += kWarp)
    total = typename C::Op{}(total, C::load(a.in[a.segments.begin(s) + i]));
  total = warp_reduce<typename C::Op>(total);
  if (threadIdx.x == 0) a.out[s] = total;
}

template <class C>
void long_cut(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.segments.count, kWarp, 0, long_cut_warp<C>, a);
}

REGISTER(SegmentedReduce, long_cut, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
