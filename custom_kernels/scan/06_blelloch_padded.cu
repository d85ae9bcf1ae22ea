// Idea:    the tree of blelloch with padding against bank conflicts: element i lies at i + i/32.
// New:     against blelloch, only the index: after every 32 words one is left unused, so words 32 apart,
//          which shared a bank, lie in neighbouring banks.
// Expect:  no bank conflicts for 4-byte elements in any step: a step of stride s has 256/s active threads,
//          and within a warp their words i + i/32 differ modulo 32. The price is 1/32 more shared memory and
//          a shift and an addition per access. Work, steps and launches stay.
// Limits:  8-byte elements fill two banks each, and this padding does not remove all of their
//          conflicts; idle threads as before.
//          Refuses elements of 1 and 2 bytes: results that wait for a prefix have no room in the output.
// Source:  Harris, Sengupta, Owens 2007, GPU Gems 3, section 39.2.3 (for 16 banks there, 32 here).

#include "custom_kernels/scan/detail/levels.cuh"
#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two; the kernel itself takes any

/// Index of element i in shared memory.
__host__ __device__ constexpr int padded(int i) { return i + i / 32; }

template <class C>
__global__ void blelloch_padded_tile(const typename C::T* in, std::int64_t n, typename C::T* out,
                                     bool exclusive, typename C::T init, typename C::T* totals) {
  using T = typename C::T;
  using Op = typename C::Op;
  const auto tile = dynamic_shared<T>();
  const int threads = blockDim.x, size = 2 * threads;  // of the tile
  const int t = threadIdx.x;
  const std::int64_t base = std::int64_t(blockIdx.x) * size;
  for (int i = t; i < size; i += threads) {
    tile[padded(i)] = base + i < n ? C::load(in[base + i]) : Op::template identity<T>();
  }

  // Up-sweep: thread t computes the node whose last element is `right`.
  for (int stride = 1; stride < size; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < size) tile[padded(right)] = Op{}(tile[padded(right - stride)], tile[padded(right)]);
  }

  // The root: its total is written out, and its prefix replaces it in the tree.
  if (t == 0) {
    const T total = tile[padded(size - 1)];
    totals[blockIdx.x] = total;
    tile[padded(size - 1)] = init;
    if (!exclusive && base + size <= n) out[base + size - 1] = Op{}(init, total);
  }

  // Down-sweep: `right` holds the prefix of the node, `right` - stride the total of its left child.
  for (int stride = size / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < size) {
      const T before = tile[padded(right)], left_total = tile[padded(right - stride)];
      tile[padded(right - stride)] = before;
      tile[padded(right)] = Op{}(before, left_total);
    }
  }
  __syncthreads();

  for (int i = t; i < size; i += threads) {
    const T before = tile[padded(i)];
    const int to = exclusive ? i : i - 1;
    if (to >= 0 && base + to < n) out[base + to] = before;
  }
}

template <class C>
void blelloch_padded(const typename C::Args& a, Context& ctx) {
  if constexpr (!C::kNarrow) {
    const int threads = block_size(kThreads), size = 2 * threads;
    scan_in_levels<C>(a, ctx, size, threads, padded(size) * sizeof(typename C::T), blelloch_padded_tile<C>);
  }
}

// Roundings per level: log2(tile) steps up, as many down, the initial value, the prefix of the tile.
REGISTER(Scan, blelloch_padded, .note = "blelloch without bank conflicts: element i lies at i + i/32",
         .depth = depth_of_levels<2 * kThreads, 2 * 9 + 2>, .refuses = Scan::refuse_narrow)

}  // namespace
}  // namespace tandem
