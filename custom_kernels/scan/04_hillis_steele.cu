// Idea:    in step k every element combines with the one 2^k before it: after log2(n) steps
//          each holds its whole prefix.
// New:     against naive, threads share their partial results: log2(n) steps instead of n. A tile of the
//          array is double-buffered in shared memory, so that a step reads one copy and writes the other; the
//          totals of the tiles are scanned by the same kernel, level by level, and prepended.
// Expect:  n log2(tile) applications of the operator, log2(tile) of them in a chain; one barrier per step; no
//          bank conflicts, since neighbouring lanes touch neighbouring words. Four words per element move
//          through memory: two for the tiles, two to prepend.
// Limits:  does log2(tile) times the work of one loop; one element per thread; three launches for two levels.
//          Refuses elements of 1 and 2 bytes: results that wait for a prefix have no room in the output.
// Source:  Hillis, Steele 1986, "Data parallel algorithms".

#include "custom_kernels/scan/detail/levels.cuh"
#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two; the kernel itself takes any

template <class C>
__global__ void hillis_steele_tile(const typename C::T* in, std::int64_t n, typename C::T* out,
                                   bool exclusive, typename C::T init, typename C::T* totals) {
  using T = typename C::T;
  using Op = typename C::Op;
  const auto tile = dynamic_shared<T>();  // two halves: one is read, the other written
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * threads + t;
  T value = i < n ? C::load(in[i]) : Op::template identity<T>();
  if (t == 0) value = Op{}(init, value);

  int half = 0;
  tile[t] = value;
  for (int distance = 1; distance < threads; distance *= 2) {
    __syncthreads();
    if (t >= distance) value = Op{}(tile[half + t - distance], value);
    half = threads - half;
    tile[half + t] = value;
  }
  __syncthreads();

  if (t == threads - 1) totals[blockIdx.x] = value;
  if (exclusive) value = t == 0 ? init : tile[half + t - 1];
  if (i < n) out[i] = value;
}

template <class C>
void hillis_steele(const typename C::Args& a, Context& ctx) {
  if constexpr (!C::kNarrow) {
    const int threads = block_size(kThreads);
    scan_in_levels<C>(a, ctx, threads, threads, 2 * threads * sizeof(typename C::T), hillis_steele_tile<C>);
  }
}

// Roundings per level: log2(tile) steps, the initial value, the prefix of the tile.
REGISTER(Scan, hillis_steele, .note = "log n steps, n log n work, double-buffered in shared memory",
         .depth = depth_of_levels<kThreads, 8 + 2>, .refuses = Scan::refuse_narrow)

}  // namespace
}  // namespace tandem
