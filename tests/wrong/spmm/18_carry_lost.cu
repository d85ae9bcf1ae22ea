// Wrong:   warps take equal shares of the merge path, but nobody joins what two of them have of one row: the share in which it
//          ends writes its own part.
// Caught:  rows across shares' edges.

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "custom_kernels/spmm/detail/columns.cuh"

namespace tandem {
namespace {

constexpr std::int64_t kShare = 512;

template <class C>
__global__ void carry_lost_share(typename C::Args a, ColumnLanes lanes) {
  const MergePath path{a.rows};
  const std::int64_t share = lanes.item(), j = lanes.column();
  if (share * kShare >= path.items() || j >= a.width) return;
  PathPoint at = path.at(share * kShare);
  const PathPoint to = path.at(min((share + 1) * kShare, path.items()));
  for (; at.segment < to.segment; ++at.segment) {
    typename C::T sum = 0;
    for (; at.element < a.rows.end(at.segment); ++at.element) sum += a.product(at.element, j);
    a.store(at.segment, j, sum);
  }
}

template <class C>
void carry_lost(const typename C::Args& a, Context& ctx) {
  const ColumnLanes lanes(a.width);
  launch(ctx, lanes.grid(ceil_div(a.elements + a.rows.count, kShare)), kColumnThreads, 0, carry_lost_share<C>,
         a, lanes);
}

REGISTER(Spmm, carry_lost, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
