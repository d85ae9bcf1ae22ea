#pragma once
// What the steps on the CPU share: a run of elements, counted or compacted.

#include <algorithm>

#include "custom_kernels/select/detail/marks.h"
#include "lib/core/target_clones.h"
#include "lib/ops/select/contract.h"

namespace tandem {

constexpr std::int64_t kSelectChunk = 1 << 15;  // elements that a thread takes at once
constexpr std::int64_t kSelectAlone = 1 << 16;  // fewer are done before another thread is awake

/// Marks which of `size` elements from `first` on are kept, and returns how many.
template <Select::Kind kKind, class Args>
[[gnu::flatten]] TANDEM_CLONES int mark(const Args& a, std::int64_t first, int size, Marks& marks) {
  const auto* const in = a.in + first;
  if constexpr (kKind == Select::Kind::flags) {
    return marks.set(false, size, [flags = a.flags + first](int i) { return flags[i] != 0; });
  } else if constexpr (kKind == Select::Kind::unique) {
    return marks.set(first == 0, size, [in](int i) { return !detail::equals(in[i - 1], in[i]); });
  } else {
    return marks.set(false, size, [in, range = a.range](int i) { return range(in[i]); });
  }
}

/// Calls body(first, size, marks, kept) for the blocks of elements [begin, end).
template <Select::Kind kKind, class Args, class Body>
void for_blocks(const Args& a, std::int64_t begin, std::int64_t end, Body&& body) {
  Marks marks;
  for (std::int64_t first = begin; first < end; first += Marks::kSize) {
    const int size = static_cast<int>(std::min<std::int64_t>(end - first, Marks::kSize));
    const int kept = mark<kKind>(a, first, size, marks);
    body(first, size, marks, kept);
  }
}

/// How many of the elements [begin, end) are kept.
template <class Args>
std::int64_t count_kept(const Args& a, std::int64_t begin, std::int64_t end) {
  std::int64_t count = 0;
  for_kind(a.kind, [&]<Select::Kind kKind>() {
    for_blocks<kKind>(a, begin, end, [&](std::int64_t, int, const Marks&, int kept) { count += kept; });
  });
  return count;
}

/// Writes the elements [begin, end) that are kept to `kept` and returns how many they are; the others go to `others`
/// where the call is a partition. Of a block that is neither kept as a whole nor has few that are, no branch depends on an
/// element: each is stored where the next one goes, in a small array, and the place moves on or not.
template <class Args, class T>
std::int64_t compact(const Args& a, std::int64_t begin, std::int64_t end, T* kept, T* others) {
  const T* const start = kept;
  for_kind(a.kind, [&]<Select::Kind kKind>() {
    T block[Marks::kSize], rest[Marks::kSize];
    for_blocks<kKind>(a, begin, end, [&](std::int64_t first, int size, const Marks& marks, int count) {
      const T* const in = a.in + first;
      const T *ones = in, *zeros = in;
      if (kKind != Select::Kind::partition && Marks::are_few(count, size)) {
        marks.for_each(size, [&](int i) { *kept++ = in[i]; });
        return;
      }
      if (count != 0 && count != size) {
        std::int64_t k = 0;
        for (int i = 0; i < size; ++i) {
          block[k] = in[i];
          if constexpr (kKind == Select::Kind::partition) rest[i - k] = in[i];
          k += marks.is[i];
        }
        ones = block;
        zeros = rest;
      }
      kept = std::copy_n(ones, count, kept);
      if constexpr (kKind == Select::Kind::partition) others = std::copy_n(zeros, size - count, others);
    });
  });
  return kept - start;
}

}  // namespace tandem
