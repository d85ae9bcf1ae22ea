#pragma once
// What the steps on the CPU share: a run of elements, counted or compacted.

#include <algorithm>

#include "lib/ops/select/contract.h"

namespace tandem {

constexpr std::int64_t kSelectChunk = 1 << 15;  // elements that a thread takes at once
constexpr std::int64_t kSelectAlone = 1 << 16;  // fewer are done before another thread is awake

/// As Args::keeps, with the kind known to the compiler.
template <Select::Kind kKind, class Args>
bool keeps(const Args& a, std::int64_t i) {
  if constexpr (kKind == Select::Kind::flags)
    return a.flags[i] != 0;
  else if constexpr (kKind == Select::Kind::unique)
    return i == 0 || !detail::equals(a.in[i - 1], a.in[i]);
  else
    return a.range(a.in[i]);
}

/// How many of the elements [begin, end) are kept.
template <class Args>
std::int64_t count_kept(const Args& a, std::int64_t begin, std::int64_t end) {
  std::int64_t count = 0;
  for_kind(a.kind, [&]<Select::Kind kKind>() {
    for (std::int64_t i = begin; i < end; ++i) count += keeps<kKind>(a, i);
  });
  return count;
}

/// Writes the elements [begin, end) that are kept to `kept` and returns how many they are; the others go to `others`
/// where the call is a partition. No branch depends on an element: each is stored where the next one goes, in a small
/// block, and the place moves on or not.
template <class Args, class T>
std::int64_t compact(const Args& a, std::int64_t begin, std::int64_t end, T* kept, T* others) {
  const T* const start = kept;
  for_kind(a.kind, [&]<Select::Kind kKind>() {
    constexpr std::int64_t kBlock = 256;
    T block[kBlock], rest[kBlock];
    for (std::int64_t first = begin; first < end; first += kBlock) {
      const std::int64_t last = std::min(end, first + kBlock);
      std::int64_t k = 0;
      for (std::int64_t i = first; i < last; ++i) {
        const bool keep = keeps<kKind>(a, i);
        block[k] = a.in[i];
        if constexpr (kKind == Select::Kind::partition) rest[i - first - k] = a.in[i];
        k += keep;
      }
      kept = std::copy_n(block, k, kept);
      if constexpr (kKind == Select::Kind::partition) others = std::copy_n(rest, last - first - k, others);
    }
  });
  return kept - start;
}

}  // namespace tandem
