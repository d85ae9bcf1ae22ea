// Idea:    cut the array into as many parts as the GPU runs blocks at once; each block reduces its part, one
//          block scans the totals, and each block scans its part starting from the total before it.
// New:     against blelloch_padded, each thread takes a chunk of 15 elements, and only its total enters a
//          scan across the block, which goes by shuffles within each warp; the last kernel starts from the
//          total before its part, so no result is read again to be corrected.
// Expect:  three words per element (read, read, write) and three launches at every size; a little over two
//          operator applications per element and kernel; three barriers for 3840 elements. The chunk has an
//          odd number of elements, so the 32 lanes hit 32 different banks without padding.
// Limits:  reads the input twice: two thirds of the speed of a copy at best.
// Source:  Merrill, Grimshaw 2009, "Parallel scan for stream architectures".

#include <algorithm>

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kItems = 15;  // elements of a chunk: consecutive, owned by one thread
constexpr int kTile = kThreads * kItems;

/// State of a block that goes through its part tile by tile.
template <class C>
struct Walk {
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  Shared<Acc, kTile>& tile;
  Shared<Acc, kWarps>& warp_totals;
  Acc running;  // op over everything before the tile

  /// Loads a tile into shared memory (coalesced), advances `running` to the end of the tile, and returns op
  /// over everything before this thread's chunk.
  template <class T>  // of the elements, or of totals
  __device__ Acc next_tile(const T* in, std::int64_t n) {
    const int t = threadIdx.x;
    __syncthreads();  // all threads are done with the previous tile
    for (int i = t; i < kTile; i += kThreads) tile[i] = i < n ? C::load(in[i]) : C::identity();
    __syncthreads();
    Acc total = tile[t * kItems];
    for (int k = 1; k < kItems; ++k) total = Op{}(total, tile[t * kItems + k]);

    const Acc through = warp_inclusive_scan<Op>(total);
    const Acc below = shuffle_up(through, 1);
    if (t % kWarp == kWarp - 1) warp_totals[t / kWarp] = through;
    __syncthreads();
    Acc before = running;
    for (int w = 0; w < kWarps; ++w) {
      if (w == t / kWarp) before = running;
      running = Op{}(running, warp_totals[w]);
    }
    return t % kWarp == 0 ? before : Op{}(before, below);
  }
};

template <class C>
__global__ void reduce_parts(const typename C::T* in, std::int64_t n, std::int64_t part,
                             typename C::Acc* totals) {
  __shared__ Shared<typename C::Acc, kTile> tile;
  __shared__ Shared<typename C::Acc, kWarps> warp_totals;
  Walk<C> walk{tile, warp_totals, C::identity()};
  const std::int64_t begin = blockIdx.x * part, end = min(n, begin + part);
  for (std::int64_t first = begin; first < end; first += kTile) walk.next_tile(in + first, end - first);
  if (threadIdx.x == 0) totals[blockIdx.x] = walk.running;
}

/// Part b starts from before[b]. If `before` is null there is one part, and it starts from init. T: of the elements, or
/// of totals.
template <class C, class T>
__global__ void scan_parts(const T* in, std::int64_t n, std::int64_t part, T* out, bool exclusive,
                           typename C::Acc init, const typename C::Acc* before) {
  using Acc = typename C::Acc;
  __shared__ Shared<Acc, kTile> tile;
  __shared__ Shared<Acc, kWarps> warp_totals;
  Walk<C> walk{tile, warp_totals, before ? before[blockIdx.x] : init};
  const std::int64_t begin = blockIdx.x * part, end = min(n, begin + part);
  for (std::int64_t first = begin; first < end; first += kTile) {
    Acc value = walk.next_tile(in + first, end - first);
    for (int k = threadIdx.x * kItems; k < (int(threadIdx.x) + 1) * kItems; ++k) {
      const Acc next = typename C::Op{}(value, tile[k]);
      tile[k] = exclusive ? value : next;
      value = next;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kTile && first + i < end; i += kThreads)
      out[first + i] = static_cast<T>(Acc(tile[i]));
  }
}

template <class C>
void reduce_then_scan(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  static const int resident = blocks_per_multiprocessor(ctx, kThreads, 0, scan_parts<C, T>);
  const std::int64_t tiles = ceil_div(a.n, kTile);
  const std::int64_t part =
      ceil_div(tiles, std::min<std::int64_t>(tiles, std::int64_t{resident} * ctx.multiprocessors())) * kTile;
  const std::int64_t parts = ceil_div(a.n, part);
  Acc* before = nullptr;
  if (parts > 1) {
    before = ctx.scratch<Acc>(parts);
    launch(ctx, parts, kThreads, 0, reduce_parts<C>, a.in, a.n, part, before);
    launch(ctx, 1, kThreads, 0, scan_parts<C, Acc>, static_cast<const Acc*>(before), parts, parts, before,
           true, a.init, static_cast<const Acc*>(nullptr));
  }
  launch(ctx, parts, kThreads, 0, scan_parts<C, T>, a.in, a.n, part, a.out, a.exclusive, a.init,
         static_cast<const Acc*>(before));
}

// A tile of 3840 elements adds 8 warp totals to the running value; a chunk and a warp scan come before that
// in each of the three kernels.
REGISTER(
    Scan, reduce_then_scan, .note = "totals of parts, scan of totals, scan of parts: 15 elements per thread",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 480 + 256; })

}  // namespace
}  // namespace tandem
