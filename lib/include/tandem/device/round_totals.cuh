#pragma once
// What lies before a tile, for persistent blocks: block b of G has tile b, b + G, b + 2G, …, one in each round. It tells
// the total of a tile some rounds before it needs to know what lies before that tile. A warp of each block, the publisher,
// tells all blocks the total; another, the gatherer, reads the G totals of a round at once. Nobody looks back from tile to
// tile: before a tile lie all earlier rounds and the totals of its own, which have been there for a while. Who adds what is
// fixed, so the bits of a result repeat from run to run. All blocks run at once (launch_together.cuh).

#include "tandem/device/bulk_copies.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {

constexpr int kMostRoundBlocks = 160;

/// In shared memory. kWarps warps of a block compute; up to kSlots rounds are between their totals and what lies before.
template <class T, class Op, int kWarps, int kSlots>
struct RoundTotals {
  static constexpr int kRows = kMostRoundBlocks / kWarp;  // a lane of the gatherer reads a total of each

  MbarrierRing<kSlots> reduced, gathered;
  T warp_totals[kSlots][kWarps];
  T before_warp[kSlots][kWarps];  // from the initial value on

  /// Called by one thread, before fence_for_copies().
  __device__ void init() {
    reduced.init(kWarps);
    gathered.init(kWarps + 1);  // the lanes of the gatherer, and the publisher, which has read the totals
  }

  /// Called by one lane of each warp that computes, once what its warp keeps for later is written.
  __device__ void put(int round, int warp, T total) {
    warp_totals[round % kSlots][warp] = total;
    reduced[round].arrive();
  }
  /// Called by such a warp: the total of all that lies before its part of the tile.
  __device__ T before(int round, int warp) {
    gathered.wait(round);
    return before_warp[round % kSlots][warp];
  }

  /// Called by the publisher. `rounds` of this block.
  __device__ void publish(int rounds, Descriptor<T>* descriptors, const Epochs* state) {
    const unsigned epoch = threadIdx.x % kWarp == 0 ? state->running() : 0;
    for (int k = 0; k < rounds; ++k) {
      const T total = warp_reduce<Op>(warp_total(k));
      if (threadIdx.x % kWarp == 0) {
        descriptors[std::int64_t{k} * gridDim.x + blockIdx.x].publish(total, 2 * epoch);
        gathered[k].arrive();
      }
    }
  }

  /// Called by the gatherer; `init` lies before tile 0. Ends the block's part in the epoch: the gatherer has read the last
  /// total of its own block, so the publisher knows the epoch.
  __device__ void gather(int rounds, const Descriptor<T>* descriptors, Epochs* state, T init) {
    const int lane = threadIdx.x % kWarp, blocks = gridDim.x, me = blockIdx.x;
    const unsigned epoch = state->running();
    T carry = init;  // the total of all rounds before
    for (int k = 0; k < rounds; ++k) {
      // A round that is not the block's last has a tile of every block; in the last, later ones do not count.
      const Descriptor<T>* row = descriptors + std::int64_t{k} * blocks;
      const int count = k + 1 < rounds ? blocks : me + 1;
      Descriptor<T> seen[kRows];  // on their way while the warps' totals are scanned
      T through[kRows];
      bool there[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        there[r] = r * kWarp + lane >= count;
        through[r] = Op::template identity<T>();
        if (!there[r]) seen[r] = row[r * kWarp + lane].seen();
      }
      const T through_warp = warp_inclusive_scan<Op>(warp_total(k));
      const T below = shuffle_up(through_warp, 1);
      spin_until([&] {
        bool all = true, is_prefix;
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
          if (!there[r]) {
            there[r] = seen[r].holds(epoch, through[r], is_prefix);
            if (!there[r]) seen[r] = row[r * kWarp + lane].seen();
          }
          all &= there[r];
        }
        return __all_sync(kAllLanes, all);
      });
      warp_inclusive_scans<Op>(through);
      T before_tile = carry;
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const T in_row = shuffle(through[r], (me + kWarp - 1) % kWarp);
        if (r == me / kWarp) before_tile = me % kWarp ? Op{}(carry, in_row) : carry;
        carry = Op{}(carry, shuffle(through[r], kWarp - 1));
      }
      if (lane < kWarps) {
        before_warp[k % kSlots][lane] = lane == 0 ? before_tile : Op{}(before_tile, below);
        gathered[k].arrive();
      }
    }
    __syncwarp();
    if (lane == 0) state->finish_block(epoch);
  }

 private:
  /// Lane w gets the total of warp w, the others the operator's identity.
  __device__ T warp_total(int round) {
    const int lane = threadIdx.x % kWarp;
    reduced.wait(round);
    return lane < kWarps ? warp_totals[round % kSlots][lane] : Op::template identity<T>();
  }
};

}  // namespace tandem
