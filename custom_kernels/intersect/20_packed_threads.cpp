// Idea:    a thread decodes only those blocks of a packed list that its candidates can be in: it searches the
//          last ids of the blocks first.
// New:     against threads, lists take a half to a quarter of the memory and are decoded four ids at a time;
//          where candidates are far apart, 128 ids are decoded to look for one.
// Expect:  decoding costs about a cycle per id, as comparing does: half the speed of threads where lists are of
//          like length and in the cache, a smaller loss where memory is the bound. Far apart, each candidate
//          costs the decoding of a whole block, where threads has cache misses that overlap.
// Limits:  the gaps of a block are as wide as its widest one; a single distant id makes a block large.
// Source:  Lemire, Boytsov 2015, "Decoding billions of integers per second through vectorization"; Lemire,
//          Boytsov, Kurz 2016, "SIMD compression and the intersection of sorted integers".

#include "custom_kernels/intersect/detail/pair.h"
#include "custom_kernels/intersect/detail/pieces.h"
#include "lib/core/target_clones.h"

namespace tandem {
namespace {

constexpr int kBlock = PackedList::kBlock;
constexpr int kWindow = 8;               // blocks decoded together where candidates are dense
constexpr std::int64_t kMergeFrom = 16;  // ids for each candidate: beyond this, blocks are decoded one by one
typedef std::uint32_t FourIds __attribute__((vector_size(16)));

/// Writes the ids of a block to `to`, which has room for them and three more.
void unpack(const PackedList::Block& block, std::uint32_t* to) {
  const auto* words = reinterpret_cast<const FourIds*>(block.quads);
  const FourIds zeros{};
  const std::uint32_t mask = block.mask();
  FourIds before = zeros + block.before;
  for (int i = 0, bit = 0; i < block.size; i += 4, bit += block.width) {
    const int shift = bit % 32;
    FourIds ids = words[bit / 32] >> shift;
    if (shift + block.width > 32) ids |= words[bit / 32 + 1] << (32 - shift);
    ids = (ids & mask) + 1;
    ids += __builtin_shufflevector(zeros, ids, 0, 4, 5, 6);
    ids += __builtin_shufflevector(zeros, ids, 0, 0, 4, 5) + before;
    std::memcpy(to + i, &ids, sizeof ids);
    before = __builtin_shufflevector(ids, ids, 3, 3, 3, 3);
  }
}

/// Whether id is one of the kBlock at `ids`.
bool holds(const std::uint32_t* ids, std::uint32_t id) {
  std::uint32_t hit = 0;
  for (int i = 0; i < kBlock; ++i) hit |= static_cast<std::uint32_t>(ids[i] == id);
  return hit;
}

/// Writes those of the n ids at x that the list holds to `kept`, which may be x, and returns how many they
/// are.
TANDEM_CLONES std::int64_t keep_in(const std::uint32_t* x, std::int64_t n, const PackedList& list,
                                   std::uint32_t* kept) {
  alignas(64) std::uint32_t ids[kWindow * kBlock];
  const PostingList<std::uint32_t> lasts{list.lasts, list.blocks()};
  std::int64_t b = gallop(lasts, 0, x[0]), found = 0;
  const std::int64_t end =
      std::min(lasts.size, gallop(lasts, b, x[n - 1]) + 1);  // behind the last block that matters
  const bool dense = (end - b) * kBlock <= n * kMergeFrom;
  for (std::int64_t i = 0; i < n && b < end;) {
    const std::int64_t window = dense ? std::min<std::int64_t>(kWindow, end - b) : 1;
    int size = 0;
    for (std::int64_t w = 0; w < window; ++w) {
      const PackedList::Block block = list[b + w];
      unpack(block, ids + size);
      size += block.size;
    }
    b += window;
    const std::int64_t first = i;
    const std::uint32_t last = ids[size - 1];
    if (dense) {
      i = std::upper_bound(x + i, x + n, last) - x;
      found += intersect_pair(x + first, i - first, {ids, size}, kept + found);
    } else {
      std::fill(ids + size, ids + kBlock, last);
      for (; i < n && x[i] <= last; ++i) {
        const std::uint32_t id = x[i];
        if (holds(ids, id)) kept[found++] = id;
      }
    }
    if (i < n && b < end) b = gallop(lasts, b, x[i]);
  }
  return found;
}

/// Intersects a piece of query q, whose candidates start at index `first` of its shortest list.
template <class Args>
std::int64_t answer_piece(const Args& a, std::int64_t q, std::int64_t first, std::uint32_t* to) {
  const PackedList shortest = a.packed_list(q, 0);
  std::int64_t n = std::min<std::int64_t>(a.piece, shortest.size - first);
  for (std::int64_t i = 0; i < n; i += kBlock) {
    std::uint32_t ids[kBlock];
    const PackedList::Block block = shortest[(first + i) / kBlock];
    unpack(block, ids);
    std::copy_n(ids, block.size, to + i);
  }
  for (std::int64_t t = 1; t < a.terms_of(q) && n > 0; ++t) n = keep_in(to, n, a.packed_list(q, t), to);
  return n;
}

template <class C>
void packed_threads(const typename C::Args& a, Context& ctx) {
  static_assert(QueryPlan::kShortPiece % kBlock == 0 && QueryPlan::kLongPiece % kBlock == 0);
  answer_pieces(a, ctx, kAloneIds,
                [&](std::int64_t q, std::int64_t first, auto* to) { return answer_piece(a, q, first, to); });
}

REGISTER(Intersect, packed_threads,
         .note = "as threads, from packed lists, of which it decodes what can match",
         .refuses = Intersect::refuses_plain, .reads = "packed")

}  // namespace
}  // namespace tandem
