// Wrong:   blocks take equal shares of the merge path, but nobody joins what two of them have of one row: the block in which it
//          ends writes its own part.
// Caught:  rows across blocks' edges.

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "lib/ops/spmv/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr std::int64_t kShare = 512;

template <class C>
__global__ void carry_lost_share(typename C::Args a) {
  const MergePath path{a.rows};
  MergePath::Point from = path.at(min(blockIdx.x * kShare, path.items()));
  const MergePath::Point to = path.at(min((blockIdx.x + 1) * kShare, path.items()));
  for (; from.segment < to.segment; ++from.segment) {
    typename C::T sum = 0;
    for (; from.element < a.rows.end(from.segment); ++from.element) sum += a.product(from.element);
    a.store(from.segment, sum);
  }
}

template <class C>
void carry_lost(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.elements + a.rows.count, kShare), 1, 0, carry_lost_share<C>, a);
}

REGISTER(Spmv, carry_lost, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
