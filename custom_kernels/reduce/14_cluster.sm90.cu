// Idea:    one cluster of up to eight blocks reduces a short array; each block writes its total into the shared
//          memory of the first, which adds them up.
// New:     against tagged_totals, totals do not pass through the L2 cache, and there is no tag, no state, and
//          nothing to wait for but a barrier in shared memory that counts the bytes that came.
// Expect:  one trip to memory for the data, and a quarter of a microsecond for the totals.
// Limits:  Hopper alone (sm_90a). Eight multiprocessors load no more than 128 KB at once, so it refuses what takes
//          them more than two rounds.
// Source:  CUDA C++ Programming Guide, "Distributed shared memory".

#include <algorithm>

#include "custom_kernels/reduce/detail/pack.cuh"
#include "tandem/device/block.cuh"
#include "tandem/device/cluster.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512, kMostBlocks = 8;
constexpr int kUnroll = 4, kMostRounds = 2;  // 16-byte loads in flight per thread
constexpr std::int64_t kMostBytes = std::int64_t{kMostRounds} * kMostBlocks * kThreads * kUnroll * 16;

template <class C>
__global__ void __launch_bounds__(kThreads)
    reduce_in_cluster(const typename C::T* in, std::int64_t n, Parts<typename C::T, kUnroll> parts,
                      typename C::Acc* out) {
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  __shared__ Shared<Acc, kMostBlocks> totals;
  __shared__ Shared<Mbarrier, 1> barrier;  // of block 0, for all totals
  Mbarrier& all_there = barrier[0];
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    all_there.init(1);
    fence_for_copies();
    all_there.arrive_and_expect((gridDim.x - 1) * sizeof(Acc));
  }
  cluster_arrive();
  start_early();
  Acc total = block_reduce<kThreads, Op>(reduce_own<C, kThreads>(in, n, parts));
  cluster_wait();  // the barrier of block 0 is there
  if (blockIdx.x > 0 && threadIdx.x == 0) store_in_block(0, totals[blockIdx.x], total, all_there);
  if (blockIdx.x > 0 || threadIdx.x >= kWarp) return;
  all_there.wait(0);
  if (threadIdx.x > 0) total = threadIdx.x < gridDim.x ? totals[threadIdx.x] : Op::template identity<Acc>();
  total = warp_reduce<Op>(total);
  if (threadIdx.x == 0) *out = total;
}

template <class C>
void cluster(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const int blocks =
      static_cast<int>(std::clamp<std::int64_t>(ceil_div(a.n, kThreads * Pack<T>::kSize), 1, kMostBlocks));
  launch_cluster(ctx, blocks, kThreads, reduce_in_cluster<C>, a.in, a.n,
                 Parts<T, kUnroll>(a.in, a.n, std::int64_t{blocks} * kThreads), a.out);
}

std::string too_long(const Reduce::Shape& shape, CaseId id) {
  const std::int64_t most = kMostBytes / static_cast<std::int64_t>(size_of(id.type));
  if (shape.n <= most) return Reduce::refuses(shape, id);
  return "n = " + std::to_string(shape.n) + " exceeds " + std::to_string(most) +
         ": one cluster loads that in two rounds";
}

REGISTER(
    Reduce, cluster, .note = "one cluster of blocks: totals meet in shared memory",
    .depth = [](std::int64_t) { return 160.0; }, .refuses = too_long)

}  // namespace
}  // namespace tandem
