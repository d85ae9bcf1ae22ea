// Idea:    one launch for a whole batch: a block takes a piece of a query's shortest list and all other lists of that query;
//          of each it looks only at the part between its first and its last candidate.
// New:     against precise_start, a block finds its parts of four lists at once, two warps for each, 32 probes at a time;
//          parts that are not much longer than the piece come into shared memory in one coalesced sweep, and searches end
//          there; a piece without a candidate left ends at once; and what is found goes straight to its place: blocks tell
//          each other by look-back how many results lie before them. No marks, no lists in between.
// Expect:  the shortest lists are read once, of the others what has a chance to match; a few microseconds for a piece, of
//          which a GPU has a thousand under way. Counting needs neither places nor writes.
// Limits:  blocks must start in index order (see common/lookback.cuh). Dense lists are searched like all others, ten
//          probes in shared memory for a candidate, where a merge would take two. The order of results is fixed.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back"; Ao et al. 2011.

#include "custom_kernels/common/lookback.cuh"
#include "custom_kernels/common/postings.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kLists = kWarps / 2;  // whose parts are found at once
constexpr int kStage = 4096;        // ids in shared memory
constexpr std::int64_t kReadUpTo =
    32;  // ids of a part for each thread with a candidate: beyond, searching moves less

/// A piece: candidate i of a thread is number i · kThreads + threadIdx.x, alive as long as bit i is set.
template <class T, int kItems>
struct Piece {
  T ids[kItems];
  unsigned alive;

  /// Keeps those that are in the part, which all threads bring into shared memory window by window.
  __device__ void keep_by_reading(PostingList<T> part, Tile<T, kStage>& stage) {
    unsigned found = 0;
    for (std::int64_t first = 0; first < part.size; first += kStage) {
      const int size = int(min(std::int64_t{kStage}, part.size - first));
      __syncthreads();  // the window before has been used up
      for (int i = threadIdx.x; i < size; i += kThreads) stage[i] = part.ids[first + i];
      __syncthreads();
      const T lowest = stage[0], highest = stage[size - 1];
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (!(alive >> i & 1) || ids[i] < lowest || ids[i] > highest) continue;
        if (stage[first_not_below(stage, 0, size - 1, ids[i])] == ids[i]) found |= 1u << i;
      }
    }
    alive &= found;
  }
  /// Keeps those that are in the part, each searched for where it lies.
  __device__ void keep_by_searching(PostingList<T> part) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!(alive >> i & 1)) continue;
      const std::int64_t at = first_not_below(part.ids, std::int64_t{0}, part.size, ids[i]);
      if (at == part.size || part.ids[at] != ids[i]) alive &= ~(1u << i);
    }
  }
};

/// Offsets of query q, whose first piece this is, and of those before it without any; with the last piece, of the rest.
template <class Args>
__device__ void write_offsets(const Args& a, std::int64_t q, std::uint64_t before, std::uint64_t total) {
  const std::uint64_t piece = blockIdx.x;
  for (std::int64_t k = q - threadIdx.x; k >= 0 && a.first_piece[k] == piece; k -= kThreads)
    a.offsets[k] = before;
  if (piece + 1 < std::uint64_t(a.pieces)) return;
  for (std::int64_t k = q + 1 + threadIdx.x; k <= a.queries; k += kThreads) a.offsets[k] = before + total;
}

template <class C, int kItems>
__global__ void __launch_bounds__(kThreads)
    intersect_piece(typename C::Args a, Epochs* state, Descriptor<std::uint64_t>* descriptors) {
  using T = typename C::T;
  __shared__ Tile<T, kStage> stage;
  __shared__ Tile<std::int64_t, 2 * kLists> bounds;
  __shared__ Tile<int, kItems * kWarps> places;  // of what each row of each warp found
  __shared__ Tile<std::uint64_t, 2> prefix;      // results before this piece, and in it
  const int t = threadIdx.x, warp = t / kWarp, lane = t % kWarp;
  start_early();
  const unsigned epoch = a.counts ? 0 : state->running();

  const std::int64_t q = warp_first_not_below(a.first_piece, 1, a.queries, std::uint64_t(blockIdx.x) + 1) - 1;
  const PostingList<T> shortest = a.list(q, 0);
  const std::int64_t first = (blockIdx.x - std::int64_t(a.first_piece[q])) * (kThreads * kItems);
  const int count = int(min(std::int64_t{kThreads * kItems}, shortest.size - first));
  Piece<T, kItems> mine;
  mine.alive = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (i * kThreads + t >= count) continue;
    mine.ids[i] = shortest.ids[first + i * kThreads + t];
    mine.alive |= 1u << i;
  }

  const std::int64_t terms = a.terms_of(q);
  int threads_alive = kThreads;
  for (std::int64_t group = 1; group < terms && threads_alive > 0; group += kLists) {
    // Warp w finds where its list's part begins (w even) or ends.
    if (const std::int64_t other = group + warp / 2; other < terms) {
      const PostingList<T> list = a.list(q, other);
      const std::uint64_t id =
          warp % 2 == 0 ? shortest.ids[first] : std::uint64_t{shortest.ids[first + count - 1]} + 1;
      const std::int64_t bound = warp_first_not_below(list.ids, 0, list.size, id);
      if (lane == 0) bounds[warp] = bound;
    }
    __syncthreads();
    for (int k = 0; k < kLists && group + k < terms && threads_alive > 0; ++k) {
      const std::int64_t begin = bounds[2 * k], size = bounds[2 * k + 1] - begin;
      const PostingList<T> part{a.list(q, group + k).ids + begin, size};
      if (size <= kReadUpTo * threads_alive)
        mine.keep_by_reading(part, stage);
      else
        mine.keep_by_searching(part);
      threads_alive = __syncthreads_count(mine.alive != 0);
    }
  }

#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const unsigned row = __ballot_sync(kAllLanes, mine.alive >> i & 1);
    if (lane == 0) places[i * kWarps + warp] = __popc(row);
  }
  __syncthreads();
  if (warp == 0) {
    int total = 0;
    for (int k = 0; k < kItems * kWarps; k += kWarp) {
      const int through = k + lane < kItems * kWarps ? places[k + lane] : 0;
      const int sum = warp_inclusive_scan<Plus>(through);
      if (k + lane < kItems * kWarps) places[k + lane] = total + sum - through;
      total += shuffle(sum, kWarp - 1);
    }
    if (a.counts) {
      using Word = unsigned long long;
      if (lane == 0 && total > 0) atomicAdd(reinterpret_cast<Word*>(&a.counts[q]), Word(total));
      return;
    }
    std::uint64_t before = 0;
    if (blockIdx.x > 0) {
      if (lane == 0) descriptors[blockIdx.x].publish(total, 2 * epoch);
      before = look_back<Plus>(descriptors, blockIdx.x, epoch);
    }
    if (lane == 0) {
      descriptors[blockIdx.x].publish(before + total, 2 * epoch + 1);
      prefix[0] = before;
      prefix[1] = total;
    }
  }
  if (a.counts) return;
  __syncthreads();
  write_offsets(a, q, prefix[0], prefix[1]);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const bool found = mine.alive >> i & 1;
    const unsigned row = __ballot_sync(kAllLanes, found);
    if (found) a.out[prefix[0] + places[i * kWarps + warp] + __popc(row & ((1u << lane) - 1))] = mine.ids[i];
  }
  if (t == 0) state->finish_block(epoch);
}

template <class C>
void batch(const typename C::Args& a, Context& ctx) {
  using State = Epochs*;
  using Places = Descriptor<std::uint64_t>*;
  auto* kernel = a.piece == QueryPlan::kLongPiece ? intersect_piece<C, QueryPlan::kLongPiece / kThreads>
                                                  : intersect_piece<C, QueryPlan::kShortPiece / kThreads>;
  if (a.counts) {
    ctx.backend()->fill(a.counts, 0, std::size_t(a.queries) * sizeof *a.counts);
    launch(ctx, a.pieces, kThreads, 0, kernel, a, State{}, Places{});
  } else {
    auto* memory = ctx.state<std::byte>("intersect/batch", lookback_bytes<std::uint64_t>(a.pieces));
    launch_early(ctx, a.pieces, kThreads, 0, kernel, a, reinterpret_cast<State>(memory),
                 descriptors_in<std::uint64_t>(memory));
  }
}

REGISTER(Intersect, batch,
         .note = "one launch: a block per piece and all its lists, results placed by look-back")

}  // namespace
}  // namespace tandem
