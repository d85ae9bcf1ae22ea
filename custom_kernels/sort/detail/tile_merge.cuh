#pragma once
// A tile's items in shared memory, and merges of two runs of them.

#include "lib/ops/sort/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/merge_path.h"

namespace tandem {

constexpr int kMergeThreads = 256;
constexpr int kMergeItems = 4;  // neighbouring ones, of a thread
constexpr int kMergeTile = kMergeThreads * kMergeItems;

template <class Key, class Value>
struct MergeTile {
  Shared<Key, kMergeTile>& keys;
  Shared<Value, kMergeTile>& values;
  KeyOrder<Key> order;
  Key own_keys[kMergeItems];  // of the thread's items
  Value own_values[kMergeItems];

  static constexpr bool kPairs = Sort::Items<Key, Value>::kPairs;

  __device__ void exchange(int i, int j) {
    const Key key = keys[i];
    keys[i] = Key(keys[j]);
    keys[j] = key;
    if constexpr (kPairs) {
      const Value value = values[i];
      values[i] = Value(values[j]);
      values[j] = value;
    }
  }
  /// Of the runs [x, y) and [y, end) in shared memory: the thread's items become those from `diagonal` on of the
  /// merged runs.
  __device__ void merge(int x, int y, int end, int diagonal) {
    const int count = end - x;
    const int of_x = merge_path(y - x, end - y, diagonal, [&](int i, int j) {
      return order.rank(keys[y + j]) < order.rank(keys[x + i]);
    });
    int i = x + of_x, j = y + diagonal - of_x;
    for (int k = 0; k < kMergeItems && diagonal + k < count; ++k) {
      const bool take_y = i == y || (j < end && order.rank(keys[j]) < order.rank(keys[i]));
      const int from = take_y ? j++ : i++;
      own_keys[k] = keys[from];
      if constexpr (kPairs) own_values[k] = values[from];
    }
  }
  /// The thread's items, from `first` on, as far as they are below `end`.
  __device__ void put(int first, int end) {
    for (int k = 0; k < kMergeItems && first + k < end; ++k) {
      keys[first + k] = own_keys[k];
      if constexpr (kPairs) values[first + k] = own_values[k];
    }
  }
};

}  // namespace tandem
