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
constexpr int kRowsOf = sizeof(T) == 4   ? 12
                        : sizeof(T) == 8 ? 10
                                         : 8;

/// The elements of a pack become results that start from `running`.
template <class C>
__device__ void scan_pack(PackInRegisters<typename C::T>& pack, typename C::Acc running, bool exclusive) {
#pragma unroll
  for (int k = 0; k < Pack<typename C::T>::kSize; ++k) {
    const auto next = typename C::Op{}(running, C::load(pack.get(k)));
    pack.set(k, C::result(exclusive ? running : next));
    running = next;
  }
}

/// Tiles begin where packs of the input are aligned, the first one `shift` elements before the input; what
/// they have outside the array is the operator's identity. out_aligned: packs of the output are aligned
/// there, too.
template <class C>
__global__ void __launch_bounds__(kThreads, 3)
    lookback_tile(const typename C::T* in, std::int64_t n, typename C::T* out, bool exclusive,
                  typename C::Acc init, int shift, bool out_aligned, Epochs* state,
                  Descriptor<typename C::Acc>* descriptors) {
  using T = typename C::T;
  using Acc = typename C::Acc;
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
  PackInRegisters<T> items[kRows];
  if (whole) {
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      items[r] = *reinterpret_cast<const PackInRegisters<T>*>(in + first + r * kWarp * kPack);
  } else {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = first + r * kWarp * kPack;
      if (i >= 0 && i + kPack <= n) {
        items[r] = *reinterpret_cast<const PackInRegisters<T>*>(in + i);
        continue;
      }
#pragma unroll
      for (int k = 0; k < kPack; ++k)
        items[r].set(k, i + k >= 0 && i + k < n ? in[i + k] : C::result(C::identity()));
    }
  }

  // Scan the rows of the warp one after another, without a prefix yet. Elements too narrow for partial results stay as
  // they are until the prefix is known; what lies before a lane's pack is kept beside them.
  Acc before_pack[kRows];
  Acc warp_total = Op::template identity<Acc>();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    Acc pack_total = C::load(items[r].get(0));
#pragma unroll
    for (int k = 1; k < kPack; ++k) pack_total = Op{}(pack_total, C::load(items[r].get(k)));
    const Acc through = warp_inclusive_scan<Op>(pack_total);
    const Acc below = shuffle_up(through, 1);
    before_pack[r] = lane == 0 ? warp_total : Op{}(warp_total, below);
    if constexpr (C::kNarrow)
      items[r].forget();
    else
      scan_pack<C>(items[r], before_pack[r], exclusive);
    warp_total = Op{}(warp_total, shuffle(through, kWarp - 1));
  }

  __shared__ Shared<Acc, kWarps> warp_totals;
  __shared__ Shared<Acc, 1> tile_prefix;
  if (lane == 0) warp_totals[warp] = warp_total;
  __syncthreads();
  if (warp == 0) {
    Acc total = warp_totals[0];
#pragma unroll
    for (int w = 1; w < kWarps; ++w) total = Op{}(total, warp_totals[w]);
    const Acc prefix = publish_and_look_back<Op>(descriptors, tile, epoch, total, init);
    if (lane == 0) tile_prefix[0] = prefix;
  }
  __syncthreads();
  Acc warp_prefix = tile_prefix[0];
  for (int w = 0; w < warp; ++w) warp_prefix = Op{}(warp_prefix, warp_totals[w]);

#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    if constexpr (C::kNarrow) {
      scan_pack<C>(items[r], Op{}(warp_prefix, before_pack[r]), exclusive);
    } else {
#pragma unroll
      for (int k = 0; k < kPack; ++k) items[r].set(k, Op{}(warp_prefix, items[r].get(k)));
    }
  }
  if (out_aligned) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = first + r * kWarp * kPack;
      if (whole || (i >= 0 && i + kPack <= n)) {
        *reinterpret_cast<PackInRegisters<T>*>(out + i) = items[r];
        continue;
      }
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        if (i + k >= 0 && i + k < n) out[i + k] = items[r].get(k);
      }
    }
  } else {
    // A row goes through shared memory, so that neighbouring lanes write neighbouring elements.
    __shared__ Shared<PackInRegisters<T>, kThreads> exchange;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      exchange[threadIdx.x] = items[r];
      __syncwarp();
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        const int e = k * kWarp + lane;
        const std::int64_t i = first + (r * kWarp - lane) * kPack + e;
        if (i >= 0 && i < n) out[i] = exchange[warp * kWarp + e / kPack].get(e % kPack);
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
  auto* memory = ctx.state<std::byte>("scan/lookback", lookback_bytes<typename C::Acc>(tiles));
  launch_early(ctx, tiles, kThreads, 0, lookback_tile<C>, a.in, a.n, a.out, a.exclusive, a.init, shift,
               past(a.out) == shift, reinterpret_cast<Epochs*>(memory),
               descriptors_in<typename C::Acc>(memory));
}

// At worst the prefix of each tile is added to the total of the next one, in a chain.
REGISTER(
    Scan, lookback, .note = "one pass: decoupled look-back, epoch-tagged descriptors",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 2048 + 64; }, .repeats = false)

}  // namespace
}  // namespace tandem
