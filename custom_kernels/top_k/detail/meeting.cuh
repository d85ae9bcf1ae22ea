#pragma once
// How persistent blocks, each with a part of the input, find the k-th code together and write the first k keys.

#include "custom_kernels/top_k/detail/part.cuh"
#include "tandem/device/grid_barrier.cuh"

namespace tandem {

/// What all blocks know. Zeroed once; a call leaves it as it found it.
struct Meeting {
  static constexpr int kMostLevels = 6;  // digits of 64 bits
  GridBarrier barrier;
  unsigned long long candidates;
  unsigned long long counts[kMostLevels][kPartDigits];
};

/// How many keys of a part come before the k-th code, and how many agree with what is known of it.
struct OfPart {
  std::int64_t before = 0, equal = 0;
};

/// A digit that was looked for, keys with a smaller one and keys with the same one.
struct FoundDigit {
  std::int64_t digit;
  std::int64_t before, equal;
  OfPart own;
};

/// Called by the block: the digit of key number `need`, 1 is the first. count(digit): how many keys have it; own: how many
/// of the block's.
template <class Count>
__device__ FoundDigit find_digit(std::int64_t need, Shared<unsigned, kPartDigits>& own, Count count) {
  constexpr int kEach = kPartDigits / kPartThreads;
  __shared__ Shared<FoundDigit, 1> found;
  const int first = threadIdx.x * kEach;
  std::int64_t counts[kEach], sum = 0, own_sum = 0, total;
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    counts[e] = std::int64_t(count(first + e));
    sum += counts[e];
    own_sum += own[first + e];
  }
  std::int64_t before = sum_before<kPartThreads>(sum, total);
  std::int64_t own_before = sum_before<kPartThreads>(own_sum, total);
  if (before < need && need <= before + sum) {
    int e = 0;
    for (; need > before + counts[e]; ++e) before += counts[e], own_before += own[first + e];
    found[0] = {first + e, before, counts[e], {own_before, own[first + e]}};
  }
  __syncthreads();
  return found[0];
}

/// Called by all blocks: all that is needed of the k-th code. `lists`: once its highest digit is known, a block lists what
/// may be among the first k, where it has room. `own`: of the block's part. Returns how many digits were counted.
template <class Key, bool kFloating>
__device__ int find_code(Part<Key, kFloating>& part, Known<Key>& known, Meeting* meeting, bool lists,
                         OfPart& own) {
  __shared__ Shared<unsigned, kPartDigits> counts;
  for (int level = 0;; ++level) {
    for (int d = threadIdx.x; d < kPartDigits; d += kPartThreads) counts[d] = 0;
    __syncthreads();
    part.count(known, counts);
    __syncthreads();
    auto& of_all = meeting->counts[level];
    for (int d = threadIdx.x; d < kPartDigits; d += kPartThreads) {
      if (counts[d] > 0) atomicAdd(&of_all[d], counts[d]);
    }
    meeting->barrier.wait();
    const FoundDigit found = find_digit(known.need, counts, [&](int d) { return of_all[d]; });
    known = NextDigit<kPartDigitBits, Key>(known.mask).found(known, found.digit, found.before);
    own.before += found.own.before;
    own.equal = found.own.equal;
    // All that agree are needed: their other digits do not matter.
    if (found.equal == known.need || known.complete()) return level + 1;
    if (level == 0 && lists && own.before + own.equal <= part.parts.room) part.filter(known);
  }
}

/// Called by all blocks: the first k keys, in the order of their positions; `of_parts` has room for what each block knows.
template <class Key, bool kFloating>
__device__ void take_first(const Part<Key, kFloating>& part, const Known<Key>& known, const OfPart& own,
                           int levels, Meeting* meeting, OfPart* of_parts, Key* keys,
                           std::int64_t* positions) {
  if (threadIdx.x == 0) of_parts[blockIdx.x] = own;
  meeting->barrier.wait();
  OfPart earlier, sum;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += kPartThreads)
    earlier.before += of_parts[b].before, earlier.equal += of_parts[b].equal;
  sum_before<kPartThreads>(earlier.before, sum.before);
  sum_before<kPartThreads>(earlier.equal, sum.equal);
  part.take(known, sum.before, sum.equal, [&](std::int64_t to, std::int64_t position) {
    keys[to] = part.parts.in[position];
    if (positions) positions[to] = position;
  });
  // For the next call. All have read them.
  const int threads = gridDim.x * kPartThreads;
  for (int i = blockIdx.x * kPartThreads + threadIdx.x; i < levels * kPartDigits; i += threads)
    meeting->counts[i / kPartDigits][i % kPartDigits] = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) meeting->candidates = 0;
}

/// The parts of a call, for as many blocks as run at once; lists have room for an eighth of what their parts hold.
template <class Key>
Parts<Key> parts_of(const TopK::ArgsOf<Key>& a, std::int64_t most_blocks, Context& ctx) {
  constexpr int kTile = Parts<Key>::kTile;
  Parts<Key> parts{a.in, a.n, int(reinterpret_cast<std::uintptr_t>(a.in) % 16 / sizeof(Key))};
  const std::int64_t tiles = ceil_div(a.n + parts.shift, kTile);
  parts.blocks = min(tiles, most_blocks);
  parts.room = max(std::int64_t{kTile}, ceil_div(tiles, parts.blocks) * kTile / 8);
  parts.codes = ctx.scratch<Key>(parts.blocks * parts.room);
  parts.offsets = ctx.scratch<std::uint32_t>(parts.blocks * parts.room);
  return parts;
}

}  // namespace tandem
