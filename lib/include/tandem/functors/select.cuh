#pragma once
// select, partition and unique for predicates of the user's own.

#include <algorithm>

#include "tandem/device/look_back.cuh"
#include "tandem/functors/operands.cuh"
#include "tandem/select.h"

namespace tandem::detail {

constexpr int kOwnSelectThreads = 256, kOwnSelectWarps = kOwnSelectThreads / kWarp;
/// Elements of a thread: as many as keep 64 bytes in registers, but one at least and 16 at most.
template <class T>
constexpr int kOwnSelectRows = std::clamp<int>(64 / sizeof(T), 1, 16);

/// A warp's elements, in rows of 32 neighbours, and which of them are kept.
template <Selection kWhat, class T, class P>
struct OwnTile {
  static constexpr int kRows = kOwnSelectRows<T>;
  std::int64_t first;  // of the lane, in row 0
  Operand<T, false> items[kRows];
  unsigned kept[kRows];  // a bit for each lane of a row
  int count = 0;

  __device__ OwnTile(const P& op, const T* in, std::int64_t n) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    first = (std::int64_t(blockIdx.x) * kOwnSelectWarps + warp) * kRows * kWarp + lane;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = first + r * kWarp;
      bool keeps = false;
      if (i < n) {
        const T x = in[i];
        memcpy(items[r].words, &x, sizeof x);
        keeps = own_keeps<kWhat>(op, in, i, x);
      }
      kept[r] = __ballot_sync(kAllLanes, keeps);
      count += __popc(kept[r]);
    }
  }
};

/// How many elements a predicate keeps, added to count[0].
template <class T, class P>
__global__ void __launch_bounds__(kOwnSelectThreads)
    own_count_tile(P op, const T* in, std::int64_t n, std::int64_t* count) {
  const OwnTile<Selection::predicate, T, P> tile(op, in, n);
  __shared__ Shared<int, kOwnSelectWarps> warp_counts;
  if (threadIdx.x % kWarp == 0) warp_counts[threadIdx.x / kWarp] = tile.count;
  __syncthreads();
  if (threadIdx.x > 0) return;
  int total = 0;
  for (int w = 0; w < kOwnSelectWarps; ++w) total += warp_counts[w];
  using Word = unsigned long long;
  atomicAdd(reinterpret_cast<Word*>(count), Word(total));
}

/// As select/custom/lookback, without its detour through shared memory. A partition finds in count[0] how many are kept.
template <Selection kWhat, class T, class P>
__global__ void __launch_bounds__(kOwnSelectThreads)
    own_select_tile(P op, const T* in, std::int64_t n, T* out, std::int64_t* count, Epochs* state,
                    Descriptor<std::int64_t>* descriptors) {
  constexpr bool kPartition = kWhat == Selection::partition;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  start_early();
  const unsigned epoch = state->running();
  const OwnTile<kWhat, T, P> tile(op, in, n);
  __shared__ Shared<int, kOwnSelectWarps> warp_counts;
  __shared__ Shared<std::int64_t, 1> before_tile;
  if (lane == 0) warp_counts[warp] = tile.count;
  __syncthreads();
  int before_warp = 0, in_tile = 0;
#pragma unroll
  for (int w = 0; w < kOwnSelectWarps; ++w) {
    if (w == warp) before_warp = in_tile;
    in_tile += warp_counts[w];
  }
  if (warp == 0) {
    const auto prefix = publish_and_look_back<Plus>(descriptors, blockIdx.x, epoch, std::int64_t(in_tile));
    if (lane == 0) before_tile[0] = prefix;
  }
  __syncthreads();
  std::int64_t to = before_tile[0] + before_warp;  // where the row's first one goes
  const std::int64_t others = kPartition ? *count : 0;
#pragma unroll
  for (int r = 0; r < tile.kRows; ++r) {
    const std::int64_t i = tile.first + r * kWarp, mine = to + __popc(tile.kept[r] & ((1u << lane) - 1));
    const bool keeps = tile.kept[r] >> lane & 1;
    if (keeps || (kPartition && i < n))
      memcpy(&out[keeps ? mine : others + i - mine], tile.items[r].words, sizeof(T));
    to += __popc(tile.kept[r]);
    __syncwarp();  // a row's lanes store together
  }
  if (!kPartition && threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) *count = before_tile[0] + in_tile;
  if (threadIdx.x == 0) state->finish_block(epoch);
}

/// Its arguments are checked. count: null where the number is returned; else what is returned means nothing.
template <Selection kWhat, class T, class P>
std::int64_t own_select_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, const P& op,
                                  const View<T>& out, std::int64_t* count) {
  static_assert(std::is_trivially_copyable_v<P>,
                "the predicate is copied to the device as it is: it must be trivially copyable");
  static_assert(std::is_trivially_copyable_v<T>, "elements on a device must be trivially copyable");
  const CallScope call(ctx, "select/custom/lookback");
  std::int64_t* const slot = count ? count : ctx.scratch<std::int64_t>(1);
  const std::int64_t tiles = ceil_div(in.size, kOwnSelectThreads * kOwnSelectRows<T>);
  if (tiles == 0 || kWhat == Selection::partition) ctx.fill(slot, 0, sizeof *slot);
  if (tiles > 0) {
    if constexpr (kWhat == Selection::partition)
      launch(ctx, tiles, kOwnSelectThreads, 0, own_count_tile<T, P>, op, in.data, in.size, slot);
    auto* memory = ctx.state<std::byte>("select/own", lookback_bytes<std::int64_t>(tiles));
    launch_early(ctx, tiles, kOwnSelectThreads, 0, own_select_tile<kWhat, T, P>, op, in.data, in.size,
                 out.data, slot, reinterpret_cast<Epochs*>(memory), descriptors_in<std::int64_t>(memory));
  }
  std::int64_t kept = 0;
  if (!count) {
    ctx.copy(&kept, slot, sizeof kept);
    ctx.synchronize();
  }
  return kept;
}

}  // namespace tandem::detail
