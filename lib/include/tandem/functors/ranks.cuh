#pragma once
// all_reduce over ranks for operators of the user's own (tandem/ranks.h).

#include "tandem/communicator.h"
#include "tandem/functors/operands.cuh"

namespace tandem::detail {

constexpr int kOwnFoldThreads = 256;

/// Elements of all ranks, in rank order, a thread for each.
template <class A, class T, class Out, class Op>
__global__ void __launch_bounds__(kOwnFoldThreads) own_fold_elements(Op op, FoldParts parts) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnFoldThreads + threadIdx.x;
  if (i >= parts.count) return;
  const T* const from = static_cast<const T*>(parts.parts);
  A total = static_cast<A>(lifted(op, from[i], parts.first + i));
  for (int r = 1; r < parts.ranks; ++r)
    total =
        static_cast<A>(op(total, static_cast<A>(lifted(op, from[r * parts.stride + i], parts.first + i))));
  static_cast<Out*>(parts.out)[i] = static_cast<Out>(total);
}

/// The types of accumulators, elements and results stand as null pointers.
template <class A, class T, class Out, class Op>
void own_fold_by_kernel(OnHostAndDevice, Context& ctx, const Op& op, const FoldParts& parts, const A*,
                        const T*, const Out*) {
  static_assert(std::is_trivially_copyable_v<Op>,
                "the operator is copied to the device as it is: it must be trivially copyable");
  const CallScope call(ctx, "all_reduce/custom/fold");
  launch(ctx, ceil_div(parts.count, kOwnFoldThreads), kOwnFoldThreads, 0, own_fold_elements<A, T, Out, Op>,
         op, parts);
}

}  // namespace tandem::detail
