#pragma once
// A tile of elements in the registers of a block: which of them begin segments, and the scan of its rows. Row r of a warp is
// 32 neighbouring packs, so that every access of a warp is whole lines.

#include "custom_kernels/segmented_scan/detail/segmented.h"
#include "lib/ops/segmented_scan/contract.h"
#include "tandem/device/vector_access.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {

constexpr int kRows = 4;

/// The part of the input that a block looks at. Tiles begin where packs of the input are aligned, the first one `shift`
/// elements before the input.
struct RowTile {
  std::int64_t begin;
  int from, to;  // its elements that lie in segments: [from, to)

  /// first, last: the elements that lie in segments.
  __device__ RowTile(int size, int shift, std::int64_t first, std::int64_t last)
      : begin(std::int64_t(blockIdx.x) * size - shift),
        from(int(min(max(first - begin, std::int64_t{0}), std::int64_t(size)))),
        to(int(max(min(last - begin, std::int64_t(size)), std::int64_t(from)))) {}
};

/// The elements of a thread. Of a whole tile nobody asks where the input ends.
template <int kPack, bool kWhole>
struct Rows {
  const RowTile& tile;
  const int first = (int(threadIdx.x) / kWarp * kRows * kWarp + int(threadIdx.x) % kWarp) * kPack;

  /// Where the thread's pack of row r begins in the tile.
  __device__ int place(int r) const { return first + r * kWarp * kPack; }
  __device__ bool inside(int i) const { return kWhole || (i >= tile.from && i < tile.to); }
  __device__ bool pack_inside(int r) const { return inside(place(r)) && inside(place(r) + kPack - 1); }

  /// As operands of type V. Elements outside get `other`.
  template <class T, class V>
  __device__ void load(const T* in, bool aligned, V other, Pack<V, kPack> (&packs)[kRows]) const {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const T* const at = in + tile.begin + place(r);
      if (aligned && pack_inside(r)) {
        const Pack<T, kPack> pack = *reinterpret_cast<const Pack<T, kPack>*>(at);
#pragma unroll
        for (int k = 0; k < kPack; ++k) packs[r].values[k] = static_cast<V>(pack.values[k]);
      } else {
#pragma unroll
        for (int k = 0; k < kPack; ++k)
          packs[r].values[k] = inside(place(r) + k) ? static_cast<V>(at[k]) : other;
      }
    }
  }
};

/// Segments that are runs of keys.
template <class Word>
struct KeyHeads {
  Keys<Word> keys;

  /// Bit r·kPack + k is set where a segment begins with element k of row r. Called by a warp. The keys themselves stay with
  /// the caller.
  template <int kPack, bool kWhole>
  __device__ unsigned of(const Rows<kPack, kWhole>& rows, Pack<Word, kPack> (&packs)[kRows]) const {
    const std::int64_t begin = rows.tile.begin;
    const bool aligned = reinterpret_cast<std::uintptr_t>(keys.data + begin) % sizeof(packs[0]) == 0;
    rows.load(keys.data, aligned, Word(0), packs);
    // Lane r reads what the first element of row r is compared with.
    const int lane = threadIdx.x % kWarp, before = rows.first + (lane * kWarp - lane) * kPack - 1;
    const bool there = lane < kRows && begin + before >= 0 && before < rows.tile.to;
    const Word below = there ? keys.data[begin + before] : Word(0);
    unsigned heads = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const Word of_lane = shuffle_up(packs[r].values[kPack - 1], 1), of_row = shuffle(below, r);
      Word last = lane == 0 ? of_row : of_lane;
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        const bool head = !keys.same(last, packs[r].values[k]) || begin + rows.place(r) + k == 0;
        heads |= unsigned(head && rows.inside(rows.place(r) + k)) << (r * kPack + k);
        last = packs[r].values[k];
      }
    }
    return heads;
  }
};

/// The scan of a warp's rows.
template <class T>
struct RowScan {
  T before[kRows];  // op over what lies before the thread's pack of row r, in its segment and this warp
  unsigned open;    // bit r: no segment begins before that pack in this warp
  Part<T> total;    // of the warp

  /// Called by a warp. The rows go side by side; the lane where a segment last began says how far down to look.
  template <class Op, int kPack>
  __device__ void scan(const Pack<T, kPack> (&packs)[kRows], unsigned heads) {
    const int lane = threadIdx.x % kWarp;
    T through[kRows];
    unsigned begins_in[kRows];  // bit l: in lane l's pack
    int nearest[kRows];         // the lane up to which this one looks down
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const unsigned in_pack = heads >> (r * kPack) & ((1u << kPack) - 1);
      through[r] = packs[r].values[0];
#pragma unroll
      for (int k = 1; k < kPack; ++k)
        through[r] = in_pack >> k & 1 ? packs[r].values[k] : Op{}(through[r], packs[r].values[k]);
      begins_in[r] = __ballot_sync(kAllLanes, in_pack != 0);
      const unsigned to_here = begins_in[r] & (kAllLanes >> (kWarp - 1 - lane));
      nearest[r] = to_here ? kWarp - 1 - __clz(int(to_here)) : 0;
    }
#pragma unroll
    for (int distance = 1; distance < kWarp; distance *= 2) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const T below = shuffle_up(through[r], distance);
        if (lane - distance >= nearest[r]) through[r] = Op{}(below, through[r]);
      }
    }
    total = {Op::template identity<T>(), false};
    open = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const T below = shuffle_up(through[r], 1), last = shuffle(through[r], kWarp - 1);
      const bool begun = begins_in[r] & ((1u << lane) - 1);
      before[r] = lane == 0 ? total.value : begun ? below : Op{}(total.value, below);
      open |= unsigned(!total.begins && !begun) << r;
      total = Segmented<Op>{}(total, Part<T>{last, begins_in[r] != 0});
    }
  }
};

}  // namespace tandem
