// Idea:    many short segments of one length are a tile: a block brings it to shared memory in packs, and reduces whole
//          segments from there.
// New:     against warp_per_segment, packs of a tile are whole lines wherever segments begin, and all lanes load. Against
//          merge_path, nothing has to be found: no offsets, no ends, no carries, one launch.
// Expect:  the bandwidth of the memory for every length. A segment is read by as many lanes as the greatest power of two
//          that divides it (in packs, where segments begin with one): then 32 lanes meet 32 different banks, because
//          segments are an odd number of such groups apart.
// Limits:  segments of up to a quarter of a tile, of one length and side by side. Bytes and halves that are read one by one
//          share banks, up to four lanes each.

#include <algorithm>
#include <numeric>

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "custom_kernels/segmented_reduce/detail/tile.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTileBytes = 16 << 10;
template <class T>
constexpr int kTile = kTileBytes / sizeof(T);

/// Tiles of up to `per_tile` segments of `units` units; a unit is what a lane reads at once.
template <class C, int kUnit>
__global__ void __launch_bounds__(kThreads)
    equal_tile(typename C::Args a, int per_tile, int units, int lanes) {
  using T = typename C::T;
  using Op = typename C::Op;
  __shared__ typename Tile<T, kTile<T>, kThreads>::Memory memory;
  const std::int64_t first = std::int64_t(blockIdx.x) * per_tile;
  const int segments = int(min(std::int64_t(per_tile), a.segments.count - first));
  Tile<T, kTile<T>, kThreads> tile(memory, a.in + first * a.segments.length, segments * units * kUnit);
  tile.wait();
  __syncthreads();
  const int group = int(threadIdx.x) / lanes, lane = int(threadIdx.x) % lanes;
  for (int base = 0; base < segments; base += kThreads / lanes) {
    const int s = base + group;
    auto total = Op::template identity<typename C::Acc>();
    if (s < segments) {
#pragma unroll 4
      for (int u = lane; u < units; u += lanes)
        total = Op{}(total, reduce_registers<Op>(tile.template unit<kUnit>(s * units + u).values));
    }
    total = reduce_lanes<Op>(total, lanes);
    if (lane == 0 && s < segments) a.out[first + s] = total;
  }
}

template <class C, int kUnit>
void launch_tiles(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kBanks = std::min<int>(kWarp, 128 / (kUnit * sizeof(T)));  // units that are read at once
  constexpr int kLongest = 64;  // units that a lane reads one after the other
  const int length = int(a.segments.length), units = length / kUnit;
  const int per_tile = kTile<T> / std::max(1, length);
  const int alone = std::gcd(units, kBanks), lanes = units / alone <= kLongest ? alone : kWarp;
  launch(ctx, ceil_div(a.segments.count, per_tile), kThreads, 0, equal_tile<C, kUnit>, a, per_tile, units,
         lanes);
}

template <class C>
void equal(const typename C::Args& a, Context& ctx) {
  constexpr int kPack = Pack<typename C::T>::kSize;
  lines_aligned(a.in, a.segments.length) ? launch_tiles<C, kPack>(a, ctx) : launch_tiles<C, 1>(a, ctx);
}

std::string refuses(const SegmentedReduce::Shape& shape, CaseId id) {
  if (shape.form == SegmentedReduce::Form::offsets) return "segments must have one length";
  const std::int64_t most = kTileBytes / 4 / static_cast<std::int64_t>(size_of(id.type));
  if (shape.longest > most)
    return "length " + std::to_string(shape.longest) + " exceeds " + std::to_string(most);
  return SegmentedReduce::refuse_gaps(shape, id);
}

REGISTER(SegmentedReduce, equal, .note = "tiles of whole segments in shared memory", .refuses = refuses)

}  // namespace
}  // namespace tandem
