#pragma once
// A block sorts what its threads hold in registers, digit by digit: items change places through dynamic shared memory.

#include "custom_kernels/sort/detail/digit_ranks.cuh"
#include "lib/ops/sort/contract.h"

namespace tandem {

/// Bytes of shared memory for each item that changes places: first its key, then its value.
template <class Key, class Value>
constexpr std::size_t exchange_bytes = Sort::Items<Key, Value>::kPairs && sizeof(Value) > sizeof(Key)
                                           ? sizeof(Value)
                                           : sizeof(Key);

/// Item ranks[k] of the tile becomes what was item k of this thread.
template <class T, class Ranks, int kItems>
__device__ void exchange(T (&items)[kItems], const std::uint32_t (&ranks)[kItems], const Ranks& tile) {
  auto memory = dynamic_shared<T>();
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) memory[ranks[k]] = items[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) items[k] = memory[tile.place(k)];
}

/// Called by a block: of the tile's items the first n are there, item k of a thread at tile.place(k).
template <bool kFloating, class Key, class Value, int kItems, class Ranks>
__device__ void sort_registers(Key (&keys)[kItems], Value (&values)[kItems], int n,
                               const KeyOrder<Key>& order, Ranks& tile) {
  constexpr bool kPairs = Sort::Items<Key, Value>::kPairs;
  for (int bit = 0; bit < order.width; bit += kDigitBits) {
    const KeyDigit<Key, kFloating> digit(order, bit, min(kDigitBits, order.width - bit));
    std::uint32_t ranks[kItems];  // first digits, then places
    // What lies behind the array has the largest digit, and so stays behind all items.
#pragma unroll
    for (int k = 0; k < kItems; ++k) ranks[k] = tile.place(k) < n ? digit(keys[k]) : kDigits - 1u;
    tile.order(tile.count(ranks), ranks);
    exchange(keys, ranks, tile);
    if constexpr (kPairs) exchange(values, ranks, tile);
  }
}

}  // namespace tandem
