#pragma once
// reduce for operators of the user's own.

#include "tandem/device/block.cuh"
#include "tandem/functors/operands.cuh"
#include "tandem/reduce.h"

namespace tandem::detail {

constexpr int kOwnReduceThreads = 256;
constexpr int kOwnReduceRows = 4;  // packs of a thread that are on their way at once

/// As reduce/custom/one_pass, but in the order of the elements: a warp takes `part` neighbouring ones, in rows of a pack per
/// lane; a block's total is that of its warps in turn, and the last block takes the totals of all in turn.
template <bool kAligned, class O, class T, class Out>
__global__ void __launch_bounds__(kOwnReduceThreads)
    own_reduce_blocks(O op, const T* in, std::int64_t n, std::int64_t part, Out* out,
                      typename O::Operand* partial, unsigned* finished) {
  using Operand = typename O::Operand;
  constexpr int kCount = kPackOf<T>;
  start_early();
  const int lane = threadIdx.x % kWarp;
  const std::int64_t warp = (std::int64_t(blockIdx.x) * kOwnReduceThreads + threadIdx.x) / kWarp;
  const std::int64_t end = min(n, (warp + 1) * part);
  Operand total = op.template identity<Operand>();
  for (std::int64_t first = warp * part; first < end; first += kOwnReduceRows * kWarp * kCount) {
    Operand rows[kOwnReduceRows][kCount];
#pragma unroll
    for (int r = 0; r < kOwnReduceRows; ++r)
      load_operands<kAligned>(op, in, first + (r * kWarp + lane) * kCount, 0, end, rows[r]);
#pragma unroll
    for (int r = 0; r < kOwnReduceRows; ++r) {
      Operand row = rows[r][0];
#pragma unroll
      for (int k = 1; k < kCount; ++k) row = op(row, rows[r][k]);
      total = op(total, warp_reduce(row, op));  // of lane 0
    }
  }
  if (lane > 0) total = op.template identity<Operand>();
  total = block_reduce<kOwnReduceThreads>(total, op);
  if (gridDim.x > 1) {
    __shared__ Shared<bool, 1> is_last;
    if (threadIdx.x == 0) {
      partial[blockIdx.x] = total;
      __threadfence();
      is_last[0] = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last[0]) return;
    __threadfence();
    total = op.template identity<Operand>();
    const unsigned share = (gridDim.x + kOwnReduceThreads - 1) / kOwnReduceThreads;
    for (unsigned b = threadIdx.x * share; b < min((threadIdx.x + 1) * share, gridDim.x); ++b)
      total = op(total, partial[b]);
    total = block_reduce<kOwnReduceThreads>(total, op);
  }
  if (threadIdx.x == 0) *out = static_cast<Out>(O::value(op(op.first, total)));
}

/// Its arguments are checked. out: null where the value is returned; else what is returned means nothing.
template <class A, class T, class Out, class Op>
A own_reduce_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, const View<Out>* out,
                       const Op& op, const A* init) {
  using O = KernelOperator<Op, A>;
  constexpr int kCount = kPackOf<T>;
  constexpr std::int64_t kStep = kOwnReduceRows * kWarp * kCount, kWarps = kOwnReduceThreads / kWarp;
  const CallScope call(ctx, "reduce/custom/one_pass");
  const O operands(op, init);
  A value{};
  const auto launch_to = [&]<class To>(To* to) {
    auto* kernel = is_pack_aligned<kCount>(in.data) ? own_reduce_blocks<true, O, T, To>
                                                    : own_reduce_blocks<false, O, T, To>;
    static const int resident = blocks_per_multiprocessor(ctx, kOwnReduceThreads, 0, kernel);
    const std::int64_t steps = ceil_div(in.size, kStep),
                       wave = std::int64_t{resident} * ctx.multiprocessors();
    const std::int64_t blocks = std::clamp<std::int64_t>(ceil_div(steps, kWarps), 1, wave);
    const std::int64_t part = ceil_div(steps, blocks * kWarps) * kStep;
    launch_early(ctx, blocks, kOwnReduceThreads, 0, kernel, operands, in.data, in.size, part, to,
                 ctx.scratch<typename O::Operand>(wave), ctx.state<unsigned>("reduce/own"));
  };
  if (out) {
    launch_to(out->data);
    return value;
  }
  A* slot = ctx.scratch<A>(1);
  launch_to(slot);
  ctx.copy(&value, slot, sizeof value);
  ctx.synchronize();
  return value;
}

}  // namespace tandem::detail
