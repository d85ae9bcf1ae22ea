// Wrong:   blocks take equal shares of the merge path, but nobody joins what two of them have of one segment: the block in
//          which it ends writes its own part.
// Caught:  segments across blocks' edges.

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr std::int64_t kShare = 512;

template <class C>
__global__ void carry_lost_share(typename C::Args a) {
  const MergePath path{a.segments};
  MergePath::Point from = path.at(min(blockIdx.x * kShare, path.items()));
  const MergePath::Point to = path.at(min((blockIdx.x + 1) * kShare, path.items()));
  for (; from.segment < to.segment; ++from.segment) {
    auto total = C::Op::template identity<typename C::Acc>();
    for (; from.element < a.segments.end(from.segment); ++from.element)
      total = typename C::Op{}(total, C::load(a.in[from.element]));
    a.out[from.segment] = total;
  }
}

template <class C>
void carry_lost(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.elements + a.segments.count, kShare), 1, 0, carry_lost_share<C>, a);
}

REGISTER(SegmentedReduce, carry_lost, .note = "wrong on purpose", .refuses = SegmentedReduce::refuse_gaps)

}  // namespace
}  // namespace tandem
