// Wrong:   the last block reads the results of the others after an atomic counter, but without a fence: a
//          result may not be visible yet when its block counts as finished.
// Caught:  each run on the executor gives the right answer, but the race detector sees that nothing orders
//          the write and the read of a partial result.

#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void last_block_unfenced_blocks(const typename C::T* in, std::int64_t n, typename C::Acc* partial,
                                           unsigned* finished, typename C::Acc* out) {
  using Op = typename C::Op;
  using Acc = typename C::Acc;
  if (threadIdx.x != 0) return;
  Acc sum = Op::template identity<Acc>();
  const std::int64_t first = std::int64_t(blockIdx.x) * kThreads;
  for (std::int64_t i = first; i < min(first + kThreads, n); ++i) sum = Op{}(sum, C::load(in[i]));
  partial[blockIdx.x] = sum;
  if (atomicInc(finished, gridDim.x - 1) != gridDim.x - 1) return;
  sum = Op::template identity<Acc>();
  for (unsigned b = 0; b < gridDim.x; ++b) sum = Op{}(sum, partial[b]);
  *out = sum;
}

template <class C>
void last_block_unfenced(const typename C::Args& a, Context& ctx) {
  const std::int64_t blocks = ceil_div(a.n, kThreads);
  launch(ctx, blocks, kThreads, 0, last_block_unfenced_blocks<C>, a.in, a.n,
         ctx.scratch<typename C::Acc>(blocks), ctx.state<unsigned>("reduce/last_block_unfenced"), a.out);
}

REGISTER(Reduce, last_block_unfenced, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
