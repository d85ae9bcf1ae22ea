#pragma once
// How persistent blocks, each with a share of the input, find the k-th code together and write the first k keys.

#include "custom_kernels/top_k/detail/share.cuh"
#include "tandem/device/grid_barrier.cuh"

namespace tandem {

/// What all blocks know. Zeroed once; a call leaves it as it found it.
struct Meeting {
  static constexpr int kMostLevels = 6;  // digits of 64 bits
  GridBarrier barrier;
  unsigned long long candidates;
  unsigned long long counts[kMostLevels][kShareDigits];
};

/// How many keys of a share come before the k-th code, and how many agree with what is known of it.
struct OfShare {
  std::int64_t before = 0, equal = 0;
};

/// A digit that was looked for, keys with a smaller one and keys with the same one.
struct FoundDigit {
  std::int64_t digit;
  std::int64_t before, equal;
  OfShare own;
};

/// Called by the block: the digit of key number `need`, 1 is the first. count(digit): how many keys have it; own: how many
/// of the block's.
template <class Count>
__device__ FoundDigit find_digit(std::int64_t need, Shared<unsigned, kDigitTable>& own, Count count) {
  constexpr int kEach = kShareDigits / kShareThreads;
  __shared__ Shared<FoundDigit, 1> found;
  const int first = threadIdx.x * kEach;
  std::int64_t sum = 0, total;
  unsigned own_sum = 0, own_total;
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    sum += std::int64_t(count(first + e));
    own_sum += own[slot(unsigned(first + e))];
  }
  std::int64_t before = sum_before<kShareThreads>(sum, total);
  unsigned own_before = sum_before<kShareThreads>(own_sum, own_total);
  if (before < need && need <= before + sum) {
    int digit = first;
    for (; need > before + std::int64_t(count(digit)); ++digit)
      before += std::int64_t(count(digit)), own_before += own[slot(unsigned(digit))];
    found[0] = {digit, before, std::int64_t(count(digit)), {own_before, own[slot(unsigned(digit))]}};
  }
  __syncthreads();
  return found[0];
}

/// Called by all blocks: all that is needed of the k-th code. kLists: once its highest digit is known, a block lists what
/// may be among the first k, where it has room. `own`: of the block's share. Returns how many digits were counted.
template <bool kLists, class Key, bool kFloating>
__device__ int find_code(Share<Key, kFloating>& share, Known<Key>& known, Meeting* meeting, OfShare& own) {
  __shared__ Shared<unsigned, kDigitTable> counts;
  for (int level = 0;; ++level) {
    for (int d = threadIdx.x; d < kDigitTable; d += kShareThreads) counts[d] = 0;
    __syncthreads();
    share.count(known, counts);
    __syncthreads();
    auto& of_all = meeting->counts[level];
    for (int d = threadIdx.x; d < kShareDigits; d += kShareThreads) {
      if (const unsigned count = counts[slot(unsigned(d))]; count > 0) atomicAdd(&of_all[d], count);
    }
    meeting->barrier.wait();
    const FoundDigit found = find_digit(known.need, counts, [&](int d) { return of_all[d]; });
    known = NextDigit<kShareDigitBits, Key>(known.mask).found(known, found.digit, found.before);
    own.before += found.own.before;
    own.equal = found.own.equal;
    // All that agree are needed: their other digits do not matter.
    if (found.equal == known.need || known.complete()) return level + 1;
    if constexpr (kLists) {
      if (level == 0 && own.before + own.equal <= share.shares.room) share.filter(known);
    }
  }
}

/// Called by all blocks: the first k keys, in the order of their positions; `of_shares` has room for what each block knows.
template <class Key, bool kFloating>
__device__ void take_first(const Share<Key, kFloating>& share, const Known<Key>& known, const OfShare& own,
                           int levels, Meeting* meeting, OfShare* of_shares, Key* keys,
                           std::int64_t* positions) {
  if (threadIdx.x == 0) of_shares[blockIdx.x] = own;
  meeting->barrier.wait();
  OfShare earlier, sum;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += kShareThreads)
    earlier.before += of_shares[b].before, earlier.equal += of_shares[b].equal;
  sum_before<kShareThreads>(earlier.before, sum.before);
  sum_before<kShareThreads>(earlier.equal, sum.equal);
  share.take(known, sum.before, sum.equal, [&](std::int64_t to, std::int64_t position) {
    keys[to] = share.shares.in[position];
    if (positions) positions[to] = position;
  });
  // For the next call. All have read them.
  const int threads = gridDim.x * kShareThreads;
  for (int i = blockIdx.x * kShareThreads + threadIdx.x; i < levels * kShareDigits; i += threads)
    meeting->counts[i / kShareDigits][i % kShareDigits] = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) meeting->candidates = 0;
}

/// The shares of a call, for as many blocks as run at once; lists have room for an eighth of what their shares hold.
template <class Key>
Shares<Key> shares_of(const TopK::ArgsOf<Key>& a, std::int64_t most_blocks, Context& ctx) {
  constexpr int kTile = Shares<Key>::kTile;
  Shares<Key> shares{a.in, a.n, int(reinterpret_cast<std::uintptr_t>(a.in) % 16 / sizeof(Key))};
  const std::int64_t tiles = ceil_div(a.n + shares.shift, kTile);
  shares.blocks = min(tiles, most_blocks);
  shares.room = max(std::int64_t{kTile}, ceil_div(tiles, shares.blocks) * kTile / 8);
  shares.codes = ctx.scratch<Key>(shares.blocks * shares.room);
  shares.offsets = ctx.scratch<std::uint32_t>(shares.blocks * shares.room);
  return shares;
}

}  // namespace tandem
