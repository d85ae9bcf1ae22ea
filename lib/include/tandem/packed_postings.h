#pragma once
// Posting lists of hundreds of ids or more in less memory. A list is cut into blocks of 128 ids. A block keeps the gaps between its ids, less one, all
// in as many bits as the largest one needs, and the lists can be searched without decoding: the last id of every block
// stands beside them.
//
// Bits lie so that both a CPU and a GPU read them in 16 bytes at a time ("vertical" layout): gap i of a block is number
// i / 4 of the four streams' number i % 4, and a quad holds the next word of each stream. A full block of w-bit gaps is w
// quads. The last block of a list has fewer ids, and only the quads that they need; its width is the largest that fits.
//
// Source:  Lemire, Boytsov 2015, "Decoding billions of integers per second through vectorization"; Ao et al. 2011, "Efficient
//          parallel lists intersection and index compression algorithms using graphics processing units".

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "tandem/postings.h"

namespace tandem {

/// A word of each of the four streams.
struct alignas(16) Quad {
  std::uint32_t words[4];
  bool operator==(const Quad&) const = default;
};

/// A list as kernels read it.
struct PackedList {
  static constexpr int kBlock = 128;  // ids
  const std::uint32_t* lasts;         // the last id of each block
  const std::uint32_t* ends;          // where each block's quads end
  const Quad* quads;
  std::int64_t size;  // ids

  struct Block {
    const Quad* quads;
    std::uint32_t before;  // the id in front of the first one; 2^32 − 1 where there is none
    int size;              // ids
    int width;             // bits of a gap

    TANDEM_HD std::uint32_t mask() const {
      return static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
    }
  };
  TANDEM_HD std::int64_t blocks() const { return (size + kBlock - 1) / kBlock; }
  TANDEM_HD Block operator[](std::int64_t b) const {
    const std::uint32_t begin = b > 0 ? ends[b - 1] : 0, length = ends[b] - begin;
    const std::int64_t left = size - b * kBlock;
    Block block{quads + begin, b > 0 ? lasts[b - 1] : 0xFFFFFFFFu, kBlock, static_cast<int>(length)};
    if (left < kBlock) {
      block.size = static_cast<int>(left);
      block.width = width_of(static_cast<int>(length), block.size);
    }
    return block;
  }
  /// The widest gaps of which `quads` hold `size`.
  TANDEM_HD static int width_of(int quads, int size) {
    const int fits = 32 * quads / ((size + 3) / 4);
    return fits < 32 ? fits : 32;
  }
};

/// All lists as kernels read them, in the memory of their place; null pointers where there are none.
struct PackedLists {
  const std::uint64_t *starts, *first_blocks, *first_quads;  // of each list; starts counts ids
  const std::uint32_t *lasts, *ends;
  const Quad* quads;

  TANDEM_HD PackedList operator[](std::uint32_t list) const {
    return {lasts + first_blocks[list], ends + first_blocks[list], quads + first_quads[list],
            static_cast<std::int64_t>(starts[list + 1] - starts[list])};
  }
};

/// The lists of an Index, packed once and never changed. A copy of a PackedIndex is the same lists. Threads may share it.
class TANDEM_API PackedIndex {
 public:
  /// O(ids), with the lists shared out among the threads. Does not keep the index. Throws std::bad_alloc where the host has no memory left.
  explicit PackedIndex(const Index& index);

  std::int64_t lists() const;
  /// Of all lists together.
  std::int64_t ids() const;
  /// What the lists and what is needed to find their blocks take: 24 bytes for each list, 8 for each block, and the gaps
  /// in whole quads. Lists of a few ids take more than in an Index, which has 8 for each list and 4 for each id.
  std::size_t bytes() const;
  /// The ids of a list. Throws InvalidArgument (no such list).
  std::vector<std::uint32_t> unpack(std::int64_t list) const;

  /// Where each list starts among all ids, lists() + 1 of them, in host memory.
  std::span<const std::uint64_t> starts() const;
  /// In the memory of a context; see Index::in.
  PackedLists in(Context& ctx) const;

  /// The three arrays that PackedLists points into, in host memory: starts, first_blocks and first_quads behind each other,
  /// then lasts and ends, then all quads and one more, which decoders may read and never use.
  struct Arrays {
    std::vector<std::uint64_t> lists;
    std::vector<std::uint32_t> blocks;
    std::vector<Quad> quads;
  };
  const Arrays& arrays() const;
  /// The same view of copies of the three.
  PackedLists view(const std::uint64_t* lists, const std::uint32_t* blocks, const Quad* quads) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// What queries can be asked of.
using AnyIndex = std::variant<Index, PackedIndex>;

}  // namespace tandem
