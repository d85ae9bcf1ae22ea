// Idea:    an up-sweep sums a tree, a down-sweep hands prefixes down it: the up-sweep leaves in each node the
//          total of its elements; in the down-sweep a node that knows its prefix gives it to its left child,
//          and prefix ∘ (total of the left child) to its right child.
// New:     against hillis_steele, work in proportion to n: 2(n − 1) applications instead of n log2(n), for
//          twice the steps, 2 log2(n). The tree works in place on one copy of the tile.
// Expect:  2(tile − 1) applications per tile, and one more in an inclusive scan. Results come out exclusive;
//          the inclusive result of x[i] is the exclusive one of x[i + 1], so it is written one element to the
//          left, and only the last element needs the total of the tile: no second pass over the elements. A
//          step of stride s touches every 2s-th word: 2-way, 4-way, 8-way, up to 16-way bank conflicts.
// Limits:  half of the threads have work in the first step, one in the last; bank conflicts.
//          Refuses elements of 1 and 2 bytes: results that wait for a prefix have no room in the output.
// Source:  Blelloch 1990, "Prefix sums and their applications", figure 1.4; Harris, Sengupta, Owens
//          2007, GPU Gems 3, chapter 39.

#include "custom_kernels/scan/detail/levels.cuh"
#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two; the kernel itself takes any

template <class C>
__global__ void blelloch_tile(const typename C::T* in, std::int64_t n, typename C::T* out, bool exclusive,
                              typename C::T init, typename C::T* totals) {
  using T = typename C::T;
  using Op = typename C::Op;
  const auto tile = dynamic_shared<T>();
  const int threads = blockDim.x, size = 2 * threads;  // of the tile
  const int t = threadIdx.x;
  const std::int64_t base = std::int64_t(blockIdx.x) * size;
  for (int i = t; i < size; i += threads) {
    tile[i] = base + i < n ? C::load(in[base + i]) : Op::template identity<T>();
  }

  // Up-sweep: thread t computes the node whose last element is `right`.
  for (int stride = 1; stride < size; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < size) tile[right] = Op{}(tile[right - stride], tile[right]);
  }

  // The root: its total is written out, and its prefix replaces it in the tree.
  if (t == 0) {
    const T total = tile[size - 1];
    totals[blockIdx.x] = total;
    tile[size - 1] = init;
    if (!exclusive && base + size <= n) out[base + size - 1] = Op{}(init, total);
  }

  // Down-sweep: `right` holds the prefix of the node, `right` - stride the total of its left child.
  for (int stride = size / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < size) {
      const T before = tile[right], left_total = tile[right - stride];
      tile[right - stride] = before;
      tile[right] = Op{}(before, left_total);
    }
  }
  __syncthreads();

  for (int i = t; i < size; i += threads) {
    const T before = tile[i];
    const int to = exclusive ? i : i - 1;
    if (to >= 0 && base + to < n) out[base + to] = before;
  }
}

template <class C>
void blelloch(const typename C::Args& a, Context& ctx) {
  if constexpr (!C::kNarrow) {
    const int threads = block_size(kThreads), size = 2 * threads;
    scan_in_levels<C>(a, ctx, size, threads, size * sizeof(typename C::T), blelloch_tile<C>);
  }
}

// Roundings per level: log2(tile) steps up, as many down, the initial value, the prefix of the tile.
REGISTER(Scan, blelloch, .note = "up-sweep and down-sweep: 2(n - 1) work, 2 log n steps",
         .depth = depth_of_levels<2 * kThreads, 2 * 9 + 2>, .refuses = Scan::refuse_narrow)

}  // namespace
}  // namespace tandem
