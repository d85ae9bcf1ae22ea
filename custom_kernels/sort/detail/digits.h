#pragma once
// What steps on the CPU that go by digits have in common: reads of keys, and items that are moved by them.

#include <algorithm>

#include "lib/ops/sort/contract.h"

namespace tandem {

template <class Key>
struct Ranks {
  Key any = 0, all = KeyOrder<Key>::kAll;  // bits that any rank has, and that all have
  bool rise = true;                        // no rank is below the one before it

  /// Bits in which ranks differ.
  Key varying() const { return static_cast<Key>(any & ~all); }
  void include(const Ranks& other) {
    any |= other.any, all &= other.all;
    rise &= other.rise;
  }
};

/// Of keys [begin, end); whether they rise is asked of the key before them, too, where there is one.
template <bool kFloating, class Key>
Ranks<Key> ranks_of(const Key* keys, std::int64_t begin, std::int64_t end, const KeyOrder<Key>& order) {
  const KeyOrder<Key> by = order;
  Key any = 0, all = KeyOrder<Key>::kAll, falls = 0;
#pragma omp simd reduction(| : any, falls) reduction(& : all)
  for (std::int64_t i = begin; i < end; ++i) {
    const Key rank = by.template rank_of<kFloating>(keys[i]);
    const Key before = by.template rank_of<kFloating>(keys[i > 0 ? i - 1 : 0]);
    any |= rank, all &= rank, falls |= before > rank;
  }
  return {any, all, falls == 0};
}

/// Items [begin, end) go to the same places of `to`, where they may lie already.
template <class Key, class Value>
void move_items(Sort::Items<const Key, const Value> from, std::int64_t begin, std::int64_t end,
                Sort::Items<Key, Value> to) {
  if (from.keys != to.keys) std::copy(from.keys + begin, from.keys + end, to.keys + begin);
  if constexpr (to.kPairs) {
    if (from.values != to.values) std::copy(from.values + begin, from.values + end, to.values + begin);
  }
}

/// How many of the keys [begin, end) have each digit are added to `counts`.
template <class Key, class Digit, class Counts>
void count_digits(const Key* keys, std::int64_t begin, std::int64_t end, const Digit& digit, Counts& counts) {
  for (std::int64_t i = begin; i < end; ++i) ++counts[digit(keys[i])];
}

/// Items [begin, end) go to where their digits' items are due: next[digit], which moves on.
template <class Key, class Value, class Digit, class Places>
void deal_items(Sort::Items<const Key, const Value> from, std::int64_t begin, std::int64_t end,
                const Digit& digit, Places next, Sort::Items<Key, Value> to) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Key key = from.keys[i];
    const auto at = next[digit(key)]++;
    to.keys[at] = key;
    if constexpr (to.kPairs) to.values[at] = from.values[i];
  }
}

}  // namespace tandem
