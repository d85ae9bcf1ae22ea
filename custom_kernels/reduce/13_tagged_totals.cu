// Idea:    a block's total leaves it as one 64-bit word {value, tag}, and the last block reads all these words
//          until each carries the tag of this call.
// New:     against one_pass, one trip to the L2 cache where there were three in a row: no fence, no counter of
//          finished blocks, no last block that reads the totals again. The tag is the number of the call
//          (epoch), so nothing is cleared between calls; it is asked for before the data, and arrives with
//          them. The host divides, so that a thread's first instructions are loads.
// Expect:  short arrays are faster by those trips, about 0.6 µs. Long ones gain nothing: one block of 512
//          threads on each multiprocessor has half as many bytes on their way as one_pass.
// Limits:  the last block holds its multiprocessor while it waits; blocks must start in index order, as for
//          scan's look-back. Two streams must not share a context.
// Source:  Merrill, Garland 2016, whose descriptors of decoupled look-back these words are.

#include <algorithm>

#include "custom_kernels/reduce/detail/pack.cuh"
#include "tandem/device/block.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;
constexpr int kUnroll = 4;  // 16-byte loads in flight per thread

template <class C>
__global__ void __launch_bounds__(kThreads)
    reduce_to_words(const typename C::T* in, std::int64_t n, Parts<typename C::T, kUnroll> parts,
                    typename C::Acc* out, Epochs* state, Descriptor<typename C::Acc>* words) {
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  start_early();
  const unsigned epoch = state->running();
  Acc total = block_reduce<kThreads, Op>(reduce_own<C, kThreads>(in, n, parts));
  if (blockIdx.x + 1 < gridDim.x) {
    if (threadIdx.x == 0) words[blockIdx.x].publish(total, 2 * epoch);
    return;
  }
  if (gridDim.x > 1) {
    if (threadIdx.x > 0) {
      total = Op::template identity<Acc>();
      bool is_prefix;
      if (threadIdx.x < gridDim.x)
        spin_until([&] { return words[threadIdx.x - 1].read(epoch, total, is_prefix); });
    }
    __syncthreads();
    total = block_reduce<kThreads, Op>(total);
  }
  if (threadIdx.x == 0) {
    *out = total;
    state->epoch = epoch;
  }
}

template <class C>
void tagged_totals(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  const std::int64_t wanted = ceil_div(a.n, std::int64_t{kThreads} * kUnroll * Pack<T>::kSize);
  const std::int64_t most = std::min(ctx.multiprocessors(), kThreads);  // a thread of the last block for each
  const std::int64_t blocks = std::min(wanted, most);
  auto* memory = ctx.state<std::byte>("reduce/tagged_totals", lookback_bytes<Acc>(most));
  launch_early(ctx, blocks, kThreads, 0, reduce_to_words<C>, a.in, a.n,
               Parts<T, kUnroll>(a.in, a.n, blocks * kThreads), a.out, reinterpret_cast<Epochs*>(memory),
               descriptors_in<Acc>(memory));
}

// With one block of 512 threads alone a thread adds at most n / 512 packs in a chain; the rest are trees.
REGISTER(
    Reduce, tagged_totals, .note = "totals as tagged words that the last block reads: no fence, no atomic",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 512 + 64; })

}  // namespace
}  // namespace tandem
