#pragma once
// Packed posting lists as kernels read them. A list is cut into blocks of 128 ids. A block keeps the gaps
// between its ids, less one, all in as many bits as the largest one needs, and the lists can be searched
// without decoding: the last id of every block stands beside them.
//
// The layout is "vertical", so that both a CPU and a GPU read 16 bytes at a time: gap i of a block is number
// i / 4 of stream i % 4, and a quad holds the next word of each of the four streams. A full block of w-bit
// gaps is w quads. The last block of a list has fewer ids, and only the quads that they need; its width is
// the largest that fits.
//
// Source:  Lemire, Boytsov 2015, "Decoding billions of integers per second through vectorization".

#include <cstdint>
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

/// All lists, in the memory of one place; null pointers where there are none.
struct PackedLists {
  const std::uint64_t *starts, *first_blocks, *first_quads;  // of each list; starts counts ids
  const std::uint32_t *lasts, *ends;
  const Quad* quads;

  TANDEM_HD PackedList operator[](std::uint32_t list) const {
    return {lasts + first_blocks[list], ends + first_blocks[list], quads + first_quads[list],
            static_cast<std::int64_t>(starts[list + 1] - starts[list])};
  }
};

/// The three arrays that PackedLists points into, in host memory: starts, first_blocks and first_quads behind
/// each other, then lasts and ends, then all quads and one more, which decoders may read and never use.
struct PackedArrays {
  std::vector<std::uint64_t> lists;
  std::vector<std::uint32_t> blocks;
  std::vector<Quad> quads;
};
TANDEM_API const PackedArrays& arrays(const PackedIndex& index);
/// A view of copies of the three.
TANDEM_API PackedLists packed_lists(const PackedIndex& index, const std::uint64_t* lists,
                                    const std::uint32_t* blocks, const Quad* quads);
/// In the memory of a context.
PackedLists packed_lists(const PackedIndex& index, Context& ctx);

}  // namespace tandem
