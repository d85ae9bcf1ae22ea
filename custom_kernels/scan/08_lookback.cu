// Idea:    each block scans one tile on chip and gets the prefix of its tile by look-back: a tile first
//          publishes its total, then, once known, its inclusive prefix; a later tile looks back over totals
//          until it finds a prefix. One launch reads and writes every element once.
// New:     against reduce_then_scan, the input is read once, not twice, and there is no second and third
//          launch. Each descriptor is made of 64-bit words {32 bits of value, tag}: a word is written in one
//          piece, so value and state arrive together without fences; the tag carries the number of the call
//          (epoch), so descriptors need no clearing. The grid starts early (launch_early).
// Expect:  2n words moved, the bound of a copy. Short inputs pay one launch and a few look-back round trips.
// Limits:  blocks must start in index order (as on every GPU so far; CUB relies on it too), or a tile could
//          wait for one that never starts. The epoch has 31 bits. How far a tile looks back depends on
//          timing, so floating-point sums may differ in the last bits from run to run.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back".

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/look_back.cuh"
#include "tandem/device/vector_access.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
/// 16-byte packs per thread: as many as fit in 80 registers, at which a multiprocessor holds three blocks.
template <class T>
constexpr int kRowsOf = sizeof(T) == 4 ? 12 : 10;

/// Tiles begin where packs of the input are aligned, the first one `shift` elements before the input; what
/// they have outside the array is the operator's identity. out_aligned: packs of the output are aligned
/// there, too.
template <class C>
__global__ void __launch_bounds__(kThreads, 3)
    lookback_tile(const typename C::T* in, std::int64_t n, typename C::T* out, bool exclusive,
                  typename C::T init, int shift, bool out_aligned, Epochs* state,
                  Descriptor<typename C::T>* descriptors) {
  using T = typename C::T;
  using Op = typename C::Op;
  constexpr int kPack = Pack<T>::kSize;
  constexpr int kRows = kRowsOf<T>;
  constexpr int kTile = kThreads * kRows * kPack;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const std::int64_t tile = blockIdx.x;
  start_early();
  const unsigned epoch = state->running();

  // Striped arrangement: row r of a warp is 32 neighbouring packs, so every access of a warp
  // is 512 contiguous bytes.
  const std::int64_t begin = tile * kTile - shift;
  const std::int64_t first = begin + (warp * kRows * kWarp + lane) * kPack;
  const bool whole = begin >= 0 && begin + kTile <= n;
  Pack<T> items[kRows];
  if (whole) {
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      items[r] = *reinterpret_cast<const Pack<T>*>(in + first + r * kWarp * kPack);
  } else {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = first + r * kWarp * kPack;
      if (i >= 0 && i + kPack <= n) {
        items[r] = *reinterpret_cast<const Pack<T>*>(in + i);
        continue;
      }
#pragma unroll
      for (int k = 0; k < kPack; ++k)
        items[r].values[k] = i + k >= 0 && i + k < n ? in[i + k] : Op::template identity<T>();
    }
  }

  // Scan the rows of the warp one after another, without a prefix yet.
  T warp_total = Op::template identity<T>();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    T pack_total = C::load(items[r].values[0]);
#pragma unroll
    for (int k = 1; k < kPack; ++k) pack_total = Op{}(pack_total, C::load(items[r].values[k]));
    const T through = warp_inclusive_scan<Op>(pack_total);
    const T below = shuffle_up(through, 1);
    T running = lane == 0 ? warp_total : Op{}(warp_total, below);
#pragma unroll
    for (int k = 0; k < kPack; ++k) {
      const T next = Op{}(running, C::load(items[r].values[k]));
      items[r].values[k] = exclusive ? running : next;
      running = next;
    }
    warp_total = Op{}(warp_total, shuffle(through, kWarp - 1));
  }

  __shared__ Shared<T, kWarps> warp_totals;
  __shared__ Shared<T, 1> tile_prefix;
  if (lane == 0) warp_totals[warp] = warp_total;
  __syncthreads();
  if (warp == 0) {
    T total = warp_totals[0];
#pragma unroll
    for (int w = 1; w < kWarps; ++w) total = Op{}(total, warp_totals[w]);
    const T prefix = publish_and_look_back<Op>(descriptors, tile, epoch, total, init);
    if (lane == 0) tile_prefix[0] = prefix;
  }
  __syncthreads();
  T warp_prefix = tile_prefix[0];
  for (int w = 0; w < warp; ++w) warp_prefix = Op{}(warp_prefix, warp_totals[w]);

#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int k = 0; k < kPack; ++k) items[r].values[k] = Op{}(warp_prefix, items[r].values[k]);
  }
  if (out_aligned) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = first + r * kWarp * kPack;
      if (whole || (i >= 0 && i + kPack <= n)) {
        *reinterpret_cast<Pack<T>*>(out + i) = items[r];
        continue;
      }
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        if (i + k >= 0 && i + k < n) out[i + k] = items[r].values[k];
      }
    }
  } else {
    // A row goes through shared memory, so that neighbouring lanes write neighbouring elements.
    __shared__ Shared<Pack<T>, kThreads> exchange;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      exchange[threadIdx.x] = items[r];
      __syncwarp();
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        const int e = k * kWarp + lane;
        const std::int64_t i = first + (r * kWarp - lane) * kPack + e;
        if (i >= 0 && i < n) out[i] = exchange[warp * kWarp + e / kPack].values[e % kPack];
      }
      __syncwarp();
    }
  }

  if (threadIdx.x == 0) state->finish_block(epoch);
}

template <class C>
void lookback(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kTile = kThreads * kRowsOf<T> * Pack<T>::kSize;
  const auto past = [](const T* data) {  // elements since the last 16-byte boundary
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % 16 / sizeof(T));
  };
  const int shift = past(a.in);
  const std::int64_t tiles = ceil_div(shift + a.n, kTile);
  auto* memory = ctx.state<std::byte>("scan/lookback", lookback_bytes<T>(tiles));
  launch_early(ctx, tiles, kThreads, 0, lookback_tile<C>, a.in, a.n, a.out, a.exclusive, a.init, shift,
               past(a.out) == shift, reinterpret_cast<Epochs*>(memory), descriptors_in<T>(memory));
}

// At worst the prefix of each tile is added to the total of the next one, in a chain.
REGISTER(
    Scan, lookback, .note = "one pass: decoupled look-back, epoch-tagged descriptors",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 2048 + 64; }, .repeats = false)

}  // namespace
}  // namespace tandem
