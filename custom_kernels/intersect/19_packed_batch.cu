// Idea:    lists stay packed in memory, in blocks of 128 ids; a warp decodes a block where it is needed: each
//          lane takes 16 bytes of bits, cuts four gaps out of them, and a warp scan sums up the gaps before
//          its own.
// New:     against dense_bits, a half to a quarter of the memory, so larger collections fit; and only the
//          last id of each block is searched, a 128th of the list. A part that is read is decoded on its way
//          into shared memory; where it is not, a warp decodes its candidates' blocks one after the other and
//          fetches the next while it decodes one.
// Expect:  of the bytes that dense_bits reads, what packing leaves; in exchange some sixty instructions of a
//          warp for a block. Gains where memory is the bound, loses where lists are in the cache.
// Limits:  as dense_bits. Where candidates are far apart, 128 ids are decoded to look for one.
// Source:  Lemire, Boytsov 2015, "Decoding billions of integers per second through vectorization", for the
//          layout; Ao et al. 2011, for lists that are decoded where they are intersected.

#include "custom_kernels/intersect/detail/bits.cuh"
#include "custom_kernels/intersect/detail/piece.cuh"
#include "custom_kernels/intersect/detail/placing.cuh"

namespace tandem {
namespace {

// A longer part is searched, not read: ids for each thread with a candidate alive.
constexpr std::int64_t kReadUpTo = 64;
constexpr int kLists = kPieceWarps / 2;  // whose parts are found at once
constexpr int kBlock = PackedList::kBlock;
constexpr int resident_blocks(int items) { return items > 2 ? 3 : 4; }  // for which registers suffice

/// What a lane reads of a block, fetched before it is decoded.
struct LaneBits {
  Quad low, high;

  /// Thread-wide.
  __device__ LaneBits(const PackedList::Block& block) : low{}, high{} {
    const int lane = threadIdx.x % kWarp, bit = lane * block.width;
    if (4 * lane >= block.size || block.width == 0) return;
    low = block.quads[bit / 32];
    if (bit % 32 + block.width > 32) high = block.quads[bit / 32 + 1];
  }
  /// Warp-wide: ids 4 · lane … 4 · lane + 3 of the block. Behind the last id of the block that one is
  /// repeated.
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

/// Warp-wide: the block that lane `lane` has.
__device__ PackedList::Block shuffle_block(const PackedList::Block& block, int lane) {
  return {shuffle(block.quads, lane), shuffle(block.before, lane), shuffle(block.size, lane),
          shuffle(block.width, lane)};
}

/// Block-wide: put(index, ids) with each lane's four ids of the blocks that ids begin … end − 1 are in,
/// shared out among the warps. `begin` is where a block begins.
template <class Put>
__device__ void each_block(const PackedList& list, std::int64_t begin, std::int64_t end, Put put) {
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  for (std::int64_t at = begin + warp * kBlock; at < end; at += kPieceWarps * kBlock) {
    const PackedList::Block block = list[at / kBlock];
    put(at + 4 * lane, LaneBits(block).ids(block));
  }
}

/// Block-wide: ids begin … begin + size − 1 into the stage.
template <class T>
__device__ void load(const PackedList& list, std::int64_t begin, int size, Shared<T, kStage>& stage) {
  each_block(list, begin, begin + size, [&](std::int64_t at, const Pack<T>& ids) {
    *reinterpret_cast<Pack<T>*>(&stage[at - begin]) = ids;
  });
}

/// Warp-wide: whether block b of this lane holds id; false where it is not `wanted`.
template <class T>
__device__ bool held(const PackedList& list, int b, bool wanted, T id) {
  unsigned waiting = __ballot_sync(kAllLanes, wanted);
  if (waiting == 0) return false;
  const int lane = threadIdx.x % kWarp;
  const PackedList::Block mine = wanted ? list[b] : PackedList::Block{};
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

/// Warp-wide: keeps the candidates that are among ids begin … end − 1 of the list, and decodes the block of
/// each.
template <class T, int kItems>
__device__ void keep_by_decoding(Candidates<T, kItems>& mine, const PackedList& list, std::int64_t begin,
                                 std::int64_t end) {
  const int first = int(begin / kBlock), behind = int(ceil_div(end, kBlock));  // 2^25 blocks at most
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const bool alive = mine.alive >> i & 1;
    const int b = alive ? first_not_below(list.lasts, first, behind, mine.ids[i]) : behind;
    if (!held(list, b, b < behind, mine.ids[i])) mine.alive &= ~(1u << i);
  }
}

/// Block-wide: keeps the candidates that are among ids begin … end − 1 of the list, whose bits it sets.
template <class T, int kItems>
__device__ void keep_by_bits(Candidates<T, kItems>& mine, const PackedList& list, std::int64_t begin,
                             std::int64_t end, const BitWindow<T>& bits) {
  bits.clear();
  each_block(list, begin, end, [&](std::int64_t, const Pack<T>& ids) { bits.set(ids, 0, 4); });
  __syncthreads();
  mine.keep_if([&](T x) { return bits.holds(x); });
}

template <class C, int kItems>
__global__ void __launch_bounds__(kPieceThreads, resident_blocks(kItems))
    intersect_piece(typename C::Args a, Aside<typename C::T> aside) {
  using T = typename C::T;
  constexpr int kPiece = kPieceThreads * kItems;
  alignas(16) __shared__ Shared<T, kStage> stage;
  __shared__ Shared<T, 2> edges;  // the first and the last candidate
  __shared__ Shared<std::int64_t, 2 * kLists> bounds;
  __shared__ Shared<int, kItems * kPieceWarps> ranks;  // results before each row of each warp
  __shared__ Shared<T*, 1> shared_to;                  // where the results of the piece go
  __shared__ Shared<int, 1> shared_total;              // how many they are
  const int t = threadIdx.x, warp = t / kWarp, lane = t % kWarp;
  start_early();

  const std::int64_t q = query_of_piece(a, blockIdx.x), terms = a.terms_of(q);
  const std::int64_t first = (blockIdx.x - std::int64_t(a.first_piece[q])) * kPiece;
  const PackedList shortest = a.packed_list(q, 0);
  const int count = int(min(std::int64_t{kPiece}, shortest.size - first));
  load(shortest, first, count, stage);
  __syncthreads();
  Candidates<T, kItems> mine;
  mine.fill(count, edges, [&](int i) { return stage[i]; });
  int threads_alive = __syncthreads_count(mine.alive != 0);

  for (std::int64_t group = 1; group < terms && threads_alive > 0; group += kLists) {
    // Warp w finds where the part of its list begins (w even) or ends.
    if (const std::int64_t other = group + warp / 2; other < terms) {
      const PackedList list = a.packed_list(q, other);
      const int after = warp % 2;
      const std::int64_t block = warp_first_not_below(list.lasts, 0, list.blocks(), edges[after]);
      if (lane == 0) bounds[warp] = min(list.size, (block + after) * kBlock);
    }
    __syncthreads();
    for (int k = 0; k < kLists && group + k < terms && threads_alive > 0; ++k) {
      const PackedList list = a.packed_list(q, group + k);
      const std::int64_t begin = bounds[2 * k], end = bounds[2 * k + 1];
      const BitWindow<T> bits{stage, edges[0], edges[1] - edges[0]};
      if (bits.suits(end - begin)) {
        keep_by_bits(mine, list, begin, end, bits);
      } else if (end - begin <= kReadUpTo * threads_alive) {
        mine.keep_by_reading(begin, end, stage,
                             [&](std::int64_t from, int size) { load(list, from, size, stage); });
      } else {
        keep_by_decoding(mine, list, begin, end);
      }
      threads_alive = __syncthreads_count(mine.alive != 0);
    }
  }

  const int found = mine.rank(ranks);
  if (a.counts) {
    if (t == 0) add_count(a, q, found);
    return;
  }
  if (t == 0) {
    aside.sizes[blockIdx.x] = found;
    shared_to[0] = aside.ids + a.first_candidate[q] + first;
    shared_total[0] = found;
  }
  __syncthreads();
  T* to = shared_to[0];
  const int total = shared_total[0];
  mine.gather(ranks, stage);
  __syncthreads();
  for (int i = t; i < total; i += kPieceThreads) to[i] = stage[i];  // in whole lines
}

template <class C>
void packed_batch(const typename C::Args& a, Context& ctx) {
  const auto aside = make_aside<typename C::T>(a, ctx);
  launch_pieces(a, ctx, intersect_piece<C, kShortItems>, intersect_piece<C, kLongItems>, aside);
  place_aside<C>(a, ctx, aside, "intersect/packed_batch");
}

REGISTER(Intersect, packed_batch,
         .note = "as dense_bits, from packed lists, which warps decode where they are needed",
         .refuses = Intersect::refuses_plain, .reads = "packed")

}  // namespace
}  // namespace tandem
