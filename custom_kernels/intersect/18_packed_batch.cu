// Idea:    lists stay packed in memory, in blocks of 128 ids; a warp decodes a block where it is needed: each lane takes 16
//          bytes of bits, cuts four gaps out of them, and the lanes sum up all gaps before theirs by shuffles.
// New:     against dense_bits, a half to a quarter of the memory, so larger collections fit; and only the last id of each
//          block is searched, a 128th of the list. A part that is read is decoded on its way into shared memory; where it is not,
//          a warp looks its candidates' blocks up one after the other, the next one on its way while one is decoded.
// Expect:  of the bytes that dense_bits reads, what packing leaves; in exchange some sixty instructions of a warp for a
//          block. Gains where memory is the bound, loses where lists are in the cache.
// Limits:  as dense_bits. Far apart, 128 ids are decoded to look for one. What takes a piece through its lists is in
//          common/intersect_piece.cuh.
// Source:  Lemire, Boytsov 2015, "Decoding billions of integers per second through vectorization", for the layout; Ao et al.
//          2011, for lists that are decoded where they are intersected.

#include "custom_kernels/intersect/detail/deferred_places.cuh"

namespace tandem {
namespace {

/// A block of a packed list on its way: what a lane reads of it.
struct LaneBits {
  Quad low, high;

  __device__ LaneBits(const PackedList::Block& block) : low{}, high{} {
    const int lane = threadIdx.x % kWarp, bit = lane * block.width;
    if (4 * lane >= block.size || block.width == 0) return;
    low = block.quads[bit / 32];
    if (bit % 32 + block.width > 32) high = block.quads[bit / 32 + 1];
  }
  /// Ids 4 · lane … 4 · lane + 3 of the block, by a whole warp. Behind the last one it is repeated.
  __device__ Pack<std::uint32_t> ids(const PackedList::Block& block) const {
    const int lane = threadIdx.x % kWarp, shift = lane * block.width % 32;
    Pack<std::uint32_t> ids;
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t bits = std::uint64_t{high.words[k]} << 32 | low.words[k];
      if (4 * lane + k < block.size) sum += (std::uint32_t(bits >> shift) & block.mask()) + 1;
      ids.values[k] = sum;
    }
    const std::uint32_t before = block.before + warp_inclusive_scan<Plus>(sum) - sum;
#pragma unroll
    for (int k = 0; k < 4; ++k) ids.values[k] += before;
    return ids;
  }
};

/// What lane `lane` has.
__device__ PackedList::Block shuffle_block(const PackedList::Block& block, int lane) {
  return {shuffle(block.quads, lane), shuffle(block.before, lane), shuffle(block.size, lane),
          shuffle(block.width, lane)};
}

template <class T>
class PackedPostings {
 public:
  static constexpr int blocks(int items) { return items > 2 ? 3 : 4; }
  static constexpr bool kBits = true;
  static constexpr std::int64_t kReadUpTo = 64;

  template <class Args>
  __device__ PackedPostings(const Args& a, std::int64_t q, std::int64_t t) : list_(a.packed_list(q, t)) {}
  __device__ std::int64_t size() const { return list_.size; }
  __device__ std::int64_t bound(T id, bool after) const {
    const std::int64_t block = warp_first_not_below(list_.lasts, 0, list_.blocks(), id);
    return min(list_.size, (block + after) * kBlock);
  }
  template <class Candidates>
  __device__ void take(std::int64_t first, int count, Candidates& piece, Stage<T>& stage) const {
    load(first, count, stage);
    __syncthreads();
    piece.fill(count, [&](int i) { return stage[i]; });
  }
  __device__ void load(std::int64_t first, int count, Stage<T>& stage) const {
    each_block(first, first + count, [&](std::int64_t at, const Pack<T>& ids) {
      *reinterpret_cast<Pack<T>*>(&stage[at - first]) = ids;
    });
  }
  template <class Put>
  __device__ void each_pack(std::int64_t begin, std::int64_t end, Put put) const {
    each_block(begin, end, [&](std::int64_t, const Pack<T>& ids) { put(ids, 0, 4); });
  }
  template <class Candidates>
  __device__ void keep(std::int64_t begin, std::int64_t end, Candidates& piece) const {
    const int first = int(begin / kBlock), behind = int(ceil_div(end, kBlock));  // 2^25 blocks at most
#pragma unroll
    for (int i = 0; i < Candidates::kSize; ++i) {
      const bool alive = piece.alive >> i & 1;
      const int b = alive ? first_not_below(list_.lasts, first, behind, piece.ids[i]) : behind;
      if (!held(b, b < behind, piece.ids[i])) piece.alive &= ~(1u << i);
    }
  }

 private:
  static constexpr int kBlock = PackedList::kBlock;

  /// put(at, ids) with every lane's four ids of all blocks from `begin` to `end`, which warps share.
  template <class Put>
  __device__ void each_block(std::int64_t begin, std::int64_t end, Put put) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    for (std::int64_t at = begin + warp * kBlock; at < end; at += kPieceWarps * kBlock) {
      const PackedList::Block block = list_[at / kBlock];
      put(at + 4 * lane, LaneBits(block).ids(block));
    }
  }

  /// Whether block b of this lane holds id, by a whole warp; false where it is not `wanted`.
  __device__ bool held(int b, bool wanted, T id) const {
    unsigned waiting = __ballot_sync(kAllLanes, wanted);
    if (waiting == 0) return false;
    const int lane = threadIdx.x % kWarp;
    const PackedList::Block mine = wanted ? list_[b] : PackedList::Block{};
    bool found = false;
    PackedList::Block block = shuffle_block(mine, __ffs(waiting) - 1);
    LaneBits bits(block);
    while (waiting != 0) {
      // All lanes that ask for this block are served at once; the block of the next one is fetched meanwhile.
      const int number = shuffle(b, __ffs(waiting) - 1);
      const unsigned same = __ballot_sync(kAllLanes, (waiting >> lane & 1) && b == number);
      waiting &= ~same;
      const PackedList::Block next =
          shuffle_block(mine, waiting != 0 ? __ffs(waiting) - 1 : 0);  // any at the end
      const LaneBits next_bits(next);
      const Pack<T> ids = bits.ids(block);
      for (unsigned asking = same; asking != 0; asking &= asking - 1) {
        const int asker = __ffs(asking) - 1;
        const T wanted_id = shuffle(id, asker);
        bool hit = false;
#pragma unroll
        for (int k = 0; k < 4; ++k) hit |= ids.values[k] == wanted_id;
        if (__any_sync(kAllLanes, hit) && lane == asker) found = true;
      }
      block = next;
      bits = next_bits;
    }
    return found;
  }

  PackedList list_;
};

template <class C>
void packed_batch(const typename C::Args& a, Context& ctx) {
  intersect_and_place<C, PackedPostings<typename C::T>>(a, ctx, "intersect/packed_batch");
}

REGISTER(Intersect, packed_batch,
         .note = "as dense_bits, from packed lists, which warps decode where they are needed",
         .refuses = Intersect::refuses_plain)

}  // namespace
}  // namespace tandem
