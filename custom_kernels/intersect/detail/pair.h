#pragma once
// Two lists on one core of a CPU: blocks of ids compared all with all where they are of like length,
// interpolation search with prefetch where one is far longer.

#include <cstring>

#include "custom_kernels/intersect/detail/postings.h"
#include "lib/core/target_clones.h"

namespace tandem {

constexpr int kBlockIds = 8;
typedef std::uint32_t BlockOfIds __attribute__((vector_size(4 * kBlockIds)));

/// The ratio of the lengths from which searching beats reading.
constexpr std::int64_t kSearchFrom = 24;

/// Appends the ids of a block that were found, whose lane of `hits` is all ones, to `kept`.
inline std::int64_t keep_hits(const BlockOfIds& ids, const BlockOfIds& hits, std::uint32_t* kept) {
  std::int64_t found = 0;
#pragma GCC unroll 8
  for (int k = 0; k < kBlockIds; ++k) {
    kept[found] = ids[k];
    found += hits[k] & 1;
  }
  return found;
}

/// A merge without branches, from y[j] on (zipper).
inline std::int64_t zip(const std::uint32_t* x, std::int64_t n, const std::uint32_t* y, std::int64_t m,
                        std::int64_t& j, std::uint32_t* kept) {
  std::int64_t i = 0, found = 0;
  while (i < n && j < m) {
    const std::uint32_t left = x[i], right = y[j];
    kept[found] = left;
    found += left == right;
    i += left <= right;
    j += right <= left;
  }
  return found;
}

/// Each block of x is compared with the blocks of y whose ranges overlap its own; the list whose block ends
/// first moves on. The steps are computed without branches, which would be mispredicted every second time.
/// `kept` may be x: a block of x stays in a register while it is compared, and of its memory only the last id
/// is read again, which nothing but itself can overwrite.
TANDEM_CLONES inline std::int64_t merge_blocks(const std::uint32_t* x, std::int64_t n, const std::uint32_t* y,
                                               std::int64_t m, std::uint32_t* kept) {
  typedef std::uint64_t Words __attribute__((vector_size(4 * kBlockIds)));
  constexpr std::uint32_t kAll = 0xFFFFFFFF;
  std::int64_t i = 0, j = 0, found = 0;
  std::uint32_t fresh = kAll;  // all ones where the block of x is a new one
  BlockOfIds ids = {}, next;
  while (i + kBlockIds <= n && j + kBlockIds <= m) {
    std::memcpy(&next, x + i, sizeof next);
    ids = (next & fresh) | (ids & ~fresh);
    BlockOfIds hits = {};
#pragma GCC unroll 8
    for (int k = 0; k < kBlockIds; ++k) hits |= reinterpret_cast<BlockOfIds>(ids == y[j + k]);
    const std::uint64_t last_x = x[i + kBlockIds - 1], last_y = y[j + kBlockIds - 1];
    const Words words = reinterpret_cast<Words>(hits);
    if ((words[0] | words[1]) | (words[2] | words[3])) found += keep_hits(ids, hits, kept + found);
    // 1 where the difference is negative: compilers make a branch of a comparison.
    const std::uint64_t x_moves = (last_x - last_y - 1) >> 63, y_moves = (last_y - last_x - 1) >> 63;
    i += static_cast<std::int64_t>(x_moves) * kBlockIds;
    j += static_cast<std::int64_t>(y_moves) * kBlockIds;
    fresh = -static_cast<std::uint32_t>(x_moves);
  }
  if (!fresh) {
    std::uint32_t block[kBlockIds];
    std::memcpy(block, &ids, sizeof block);
    found += zip(block, kBlockIds, y, m, j, kept + found);
    i += kBlockIds;
  }
  return found + zip(x + i, n - i, y, m, j, kept + found);
}

/// Interpolation search for a group of candidates at once: their indices in the long list are guessed, as if
/// ids lay evenly between the first and the last of the group, and prefetched; then each gallops from its
/// guess.
inline std::int64_t search_guessed(const std::uint32_t* x, std::int64_t n, const std::uint32_t* y,
                                   std::int64_t m, std::uint32_t* kept) {
  constexpr std::int64_t kGroup = 32, kNear = 16;
  std::int64_t low = 0, found = 0;
  for (std::int64_t first = 0; first < n && low < m; first += kGroup) {
    const std::int64_t count = std::min(kGroup, n - first);
    std::uint32_t group[kGroup];
    std::copy_n(x + first, count, group);
    // The group's ids lie in y[low … high).
    std::int64_t stride = std::max<std::int64_t>(1, (m - low) / (n - first) * kGroup), high = low;
    while (high < m && y[std::min(m, high + stride) - 1] < group[count - 1]) high += stride, stride *= 2;
    high = std::min(m, high + stride);
    const double scale = static_cast<double>(high - 1 - low) /
                         std::max(1.0, static_cast<double>(y[high - 1]) - static_cast<double>(y[low]));
    const std::uint32_t lowest = y[low];
    std::int64_t guess[kGroup];
    for (std::int64_t k = 0; k < count; ++k) {
      const double ahead = group[k] > lowest ? static_cast<double>(group[k] - lowest) * scale : 0;
      guess[k] = low + std::min(static_cast<std::int64_t>(ahead), high - 1 - low);
      __builtin_prefetch(y + guess[k]);
    }
    for (std::int64_t k = 0; k < count; ++k) {
      const std::uint32_t id = group[k];
      std::int64_t begin = std::max(low, guess[k]), end = begin;
      for (stride = kNear; begin > low && y[begin - 1] >= id; stride *= 2)
        end = begin, begin = std::max(low, begin - stride);
      if (end == begin) {
        for (stride = kNear; end < m && y[end] < id; stride *= 2)
          begin = end, end = std::min(m, end + stride);
      }
      low = std::lower_bound(y + begin, y + end, id) - y;
      if (low == m) return found;
      kept[found] = id;
      found += y[low] == id;
    }
  }
  return found;
}

/// Writes those of the n ids at x that the list holds to `kept`, which may be x, and returns how many they
/// are.
inline std::int64_t intersect_pair(const std::uint32_t* x, std::int64_t n, PostingList<std::uint32_t> list,
                                   std::uint32_t* kept) {
  return list.size >= n * kSearchFrom ? search_guessed(x, n, list.ids, list.size, kept)
                                      : merge_blocks(x, n, list.ids, list.size, kept);
}

/// The same of a piece of the candidates, which takes the part of the list between its first and its last one.
inline std::int64_t intersect_part(const std::uint32_t* x, std::int64_t n, PostingList<std::uint32_t> list,
                                   std::uint32_t* kept) {
  const std::int64_t begin = gallop(list, 0, x[0]);
  const std::int64_t end = gallop(list, begin, x[n - 1]);  // behind the ids below the last candidate
  return intersect_pair(x, n, {list.ids + begin, std::min(list.size, end + 1) - begin}, kept);
}

}  // namespace tandem
