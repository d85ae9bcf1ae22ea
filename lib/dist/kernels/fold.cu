// Idea:    out[i] = op over element i of the arrays of all ranks, a thread for each element.
// Expect:  neighbouring threads read neighbouring elements of every array: the bandwidth of ranks + 1 words per element.
// Limits:  one element of each array per thread; short arrays leave most of the GPU idle.

#include "lib/core/cases.h"
#include "lib/dist/kernels/kernels.h"
#include "lib/dist/kernels/place.h"
#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void fold_elements(const typename C::T* parts, std::int64_t stride, int ranks, std::int64_t n,
                              typename C::T* out) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const typename C::Op op{};
  typename C::Acc total = C::load(parts[i]);
  for (int r = 1; r < ranks; ++r) total = op(total, C::load(parts[r * stride + i]));
  out[i] = C::result(total);
}

void fold(Context& ctx, CaseId id, const detail::FoldParts& p) {
  const CallScope call(ctx, "all_reduce/custom/fold");
  for_case<Scan>(id, [&]<class C>() {
    using T = typename C::T;
    launch(ctx, ceil_div(p.count, kThreads), kThreads, 0, fold_elements<C>, static_cast<const T*>(p.parts), p.stride,
           p.ranks, p.count, static_cast<T*>(p.out));
  });
}

const bool there = (rank_kernels(kKernelPlace).fold = fold, true);

}  // namespace
}  // namespace tandem
