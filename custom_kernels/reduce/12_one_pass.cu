// Idea:    16-byte loads, a grid of exactly one wave, and a last block that adds the results of all blocks in
//          block order: every element is read once, in one launch.
// New:     against warp_shuffle (whose block-wide reduction is block_reduce here), one launch whatever n
//          is; each thread keeps several independent loads and accumulators in flight; the result
//          repeats bit for bit, because the order of additions depends on n and the device alone. The
//          grid starts early (launch_early).
// Expect:  large n: the read bandwidth of the memory. Small n: one launch where a
//          two-kernel reduction needs two.
// Limits:  the counter of finished blocks lives in the context and wraps to 0 by itself (atomicInc), so two
//          streams must not share a context.
// Source:  Harris 2007; the last-block idiom is the threadFenceReduction sample of the CUDA toolkit.

#include "custom_kernels/reduce/detail/pack.cuh"
#include "tandem/device/block.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
// 16-byte loads in flight per thread: 64 KB for 1,024 threads, which covers the latency of the memory.
constexpr int kUnroll = 4;

template <class C>
__global__ void __launch_bounds__(kThreads, 4)
    one_pass_blocks(const typename C::T* in, std::int64_t n, typename C::Acc* out, typename C::Acc* partial,
                    unsigned* finished) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  start_early();
  const std::int64_t head = unaligned_head(in, n);
  const std::int64_t packs = (n - head) / Pack<T>::kSize;
  const std::int64_t tail = head + packs * Pack<T>::kSize;
  const auto* data = reinterpret_cast<const Pack<T>*>(in + head);
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads;

  Acc sums[kUnroll];
#pragma unroll
  for (Acc& sum : sums) sum = Op::template identity<Acc>();
  // In each full round a block reads kUnroll × kThreads neighbouring packs; a grid-stride loop
  // reads the remaining packs.
  const std::int64_t rounds = packs / (threads * kUnroll);
  std::int64_t i = std::int64_t(blockIdx.x) * kThreads * kUnroll + threadIdx.x;
  for (std::int64_t round = 0; round < rounds; ++round, i += threads * kUnroll) {
    Pack<T> loaded[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) loaded[u] = data[i + u * kThreads];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) sums[u] = Op{}(sums[u], reduce_pack<C>(loaded[u]));
  }
  for (i = rounds * threads * kUnroll + thread; i < packs; i += threads) {
    const Pack<T> loaded = data[i];
    sums[0] = Op{}(sums[0], reduce_pack<C>(loaded));
  }
  if (thread < head) sums[1] = Op{}(sums[1], C::load(in[thread]));
  if (thread < n - tail) sums[2] = Op{}(sums[2], C::load(in[tail + thread]));

  Acc total = block_reduce<kThreads, Op>(Op{}(Op{}(sums[0], sums[1]), Op{}(sums[2], sums[3])));
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) *out = total;
    return;
  }

  __shared__ Shared<bool, 1> is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = total;
    __threadfence();
    is_last[0] = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last[0]) return;
  __threadfence();
  total = Op::template identity<Acc>();
  for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads) total = Op{}(total, partial[b]);
  total = block_reduce<kThreads, Op>(total);
  if (threadIdx.x == 0) *out = total;
}

template <class C>
void one_pass(const typename C::Args& a, Context& ctx) {
  static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kThreads, 0, one_pass_blocks<C>);
  const std::int64_t wave = std::int64_t{per_multiprocessor} * ctx.multiprocessors();
  const std::int64_t wanted = ceil_div(a.n, std::int64_t{kThreads} * kUnroll * Pack<typename C::T>::kSize);
  const auto blocks = wanted < wave ? wanted : wave;
  launch_early(ctx, blocks, kThreads, 0, one_pass_blocks<C>, a.in, a.n, a.out,
               ctx.scratch<typename C::Acc>(wave), ctx.state<unsigned>("reduce/one_pass"));
}

// A full wave has at least 4 blocks of 256 threads, so a thread adds at most n / 1024 packs in a
// chain; the rest are trees.
REGISTER(
    Reduce, one_pass, .note = "one launch: 16-byte loads, last block finishes in a fixed order",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 1024 + 64; })

}  // namespace
}  // namespace tandem
