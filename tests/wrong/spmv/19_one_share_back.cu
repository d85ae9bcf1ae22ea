// Wrong:   of a row that ends in a share of the merge path, adds what the share before it has, and none of those before that.
// Caught:  a row across three shares.

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "lib/ops/spmv/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr std::int64_t kShare = 512;

/// Sums of a share: it writes all rows that end in it but the first, or, the second time, this one alone.
template <class C>
__global__ void one_share_back_share(typename C::Args a, typename C::T* tails, bool again) {
  using T = typename C::T;
  const MergePath path{a.rows};
  MergePath::Point at = path.at(min(blockIdx.x * kShare, path.items()));
  const MergePath::Point to = path.at(min((blockIdx.x + 1) * kShare, path.items()));
  T sum = again && blockIdx.x > 0 ? tails[blockIdx.x - 1] : T(0);
  for (const std::int64_t first = at.segment; at.segment < to.segment; ++at.segment, sum = 0) {
    for (; at.element < a.rows.end(at.segment); ++at.element) sum += a.product(at.element);
    if (again == (at.segment == first)) a.store(at.segment, sum);
  }
  for (; at.element < to.element; ++at.element) sum += a.product(at.element);
  if (!again) tails[blockIdx.x] = sum;
}

template <class C>
void one_share_back(const typename C::Args& a, Context& ctx) {
  const std::int64_t shares = ceil_div(a.elements + a.rows.count, kShare);
  auto* tails = ctx.scratch<typename C::T>(shares);
  for (const bool again : {false, true}) launch(ctx, shares, 1, 0, one_share_back_share<C>, a, tails, again);
}

REGISTER(Spmv, one_share_back, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
