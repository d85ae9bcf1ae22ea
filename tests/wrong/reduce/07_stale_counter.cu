// Wrong:   the counter of finished blocks is never reset: only the first call of a context has a last block.
// Caught:  one context serves many trials, as it does in user programs.

#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void stale_counter_blocks(const typename C::T* in, std::int64_t n, typename C::Acc* partial,
                                     unsigned* finished, typename C::Acc* out) {
  using Op = typename C::Op;
  using Acc = typename C::Acc;
  if (threadIdx.x != 0) return;
  Acc sum = Op::template identity<Acc>();
  const std::int64_t first = std::int64_t(blockIdx.x) * kThreads;
  for (std::int64_t i = first; i < min(first + kThreads, n); ++i) sum = Op{}(sum, C::load(in[i]));
  partial[blockIdx.x] = sum;
  __threadfence();
  if (atomicAdd(finished, 1u) != gridDim.x - 1) return;
  __threadfence();
  sum = Op::template identity<Acc>();
  for (unsigned b = 0; b < gridDim.x; ++b) sum = Op{}(sum, partial[b]);
  *out = sum;
}

template <class C>
void stale_counter(const typename C::Args& a, Context& ctx) {
  const std::int64_t blocks = ceil_div(a.n, kThreads);
  launch(ctx, blocks, kThreads, 0, stale_counter_blocks<C>, a.in, a.n, ctx.scratch<typename C::Acc>(blocks),
         ctx.state<unsigned>("reduce/stale_counter"), a.out);
}

REGISTER(Reduce, stale_counter, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
