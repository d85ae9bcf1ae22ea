#pragma once
// Dense lists of an index as bits, one for each number. A path of the CPU that wants them has them made once; they stay with
// the index.
//
// Source:  Culpepper, Moffat 2010, "Efficient set intersection for inverted indexing".

#include <cstdint>
#include <span>
#include <vector>

#include "tandem/postings.h"

namespace tandem {

/// Bit x % 64 of word x / 64 says whether the list holds number x; words from `begin` to `end` − 1 alone have such bits.
/// None of a list that is not kept.
struct BitList {
  const std::uint64_t* words = nullptr;  // that of word `begin`
  std::int64_t begin = 0, end = 0;
  explicit operator bool() const { return begin < end; }
  const std::uint64_t* from(std::int64_t word) const { return words + (word - begin); }
};

class KeptBits {
 public:
  /// Kept are lists of kFewest ids and more, one or more to each kSparsest numbers of their range: at most half as much
  /// memory again as their ids take, beside 16 bytes for each list of the index. Roaring bitmaps draw the line at the same
  /// density, in each part of a list.
  static constexpr std::int64_t kFewest = 128, kSparsest = 16;
  static bool keeps(std::span<const std::uint32_t> ids);

  /// O(ids), on all threads. Throws OutOfMemory.
  explicit KeptBits(const Index& index);

  BitList operator[](std::uint32_t list) const {
    const Place& at = places_[list];
    return {words_.data() + at.first, at.begin, at.end};
  }

 private:
  struct Place {
    std::uint64_t first;  // in words_
    std::uint32_t begin, end;
  };
  std::vector<Place> places_;  // of each list
  std::vector<std::uint64_t> words_;
};

/// Whether any list of an index is one that is kept. O(1).
TANDEM_API bool has_dense_lists(const Index& index);
/// The bits of an index, made by the first call that asks for them. Threads may call it at once.
TANDEM_API const KeptBits& kept_bits(const Index& index);

}  // namespace tandem
