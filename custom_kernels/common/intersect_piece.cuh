#pragma once
// One launch for a whole batch of queries: steps batch and packed_batch of intersect, which differ in how a list lies in
// memory. A block has a piece of a query's shortest list and takes it through all other lists of that query.
//
// `List` is one of them, made of (args, query, number):
//   List::kReadUpTo                    ids of a part for each thread with a candidate: beyond, searching moves less
//   size()                             ids
//   bound(id, after), by a warp        a place with no id below `id` behind it (after: none up to `id`) in front of it
//   take(first, count, piece, stage)   ids first … first + count − 1 become the piece's candidates
//   load(first, count, stage)          the same into shared memory; `first` is a bound, or whole stages behind one
//   keep(begin, end, piece)            those candidates stay that are among ids begin … end − 1, which are bounds

#include "custom_kernels/common/lookback.cuh"
#include "custom_kernels/common/postings.cuh"

namespace tandem {

constexpr int kPieceThreads = 256;
constexpr int kPieceWarps = kPieceThreads / kWarp;
constexpr int kStage = 4096;  // ids in shared memory
template <class T>
using Stage = Tile<T, kStage>;

/// Candidate i of a thread is number i · kPieceThreads + threadIdx.x, alive as long as bit i is set.
template <class T, int kItems>
struct Piece {
  static constexpr int kSize = kItems;
  T ids[kItems];
  unsigned alive = 0;
  /// get(i) is the i-th of `count` ids.
  template <class Get>
  __device__ void fill(int count, Get get) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int place = i * kPieceThreads + int(threadIdx.x);
      if (place >= count) continue;
      ids[i] = get(place);
      alive |= 1u << i;
    }
  }

  /// Keeps those that are among ids begin … end − 1 of the list, which come into shared memory window by window.
  template <class List>
  __device__ void keep_by_reading(const List& list, std::int64_t begin, std::int64_t end, Stage<T>& stage) {
    unsigned found = 0;
    for (std::int64_t first = begin; first < end; first += kStage) {
      const int size = int(min(std::int64_t{kStage}, end - first));
      __syncthreads();  // the window before has been used up
      list.load(first, size, stage);
      __syncthreads();
      const T least = stage[0], most = stage[size - 1];
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (!(alive >> i & 1) || ids[i] < least || ids[i] > most) continue;
        if (stage[first_not_below(stage, 0, size - 1, ids[i])] == ids[i]) found |= 1u << i;
      }
    }
    alive &= found;
  }
};

/// Offsets of query q, whose first piece this is, and of those before it without any; with the last piece, of the rest.
template <class Args>
__device__ void write_offsets(const Args& a, std::int64_t q, std::uint64_t before, std::uint64_t total) {
  const std::uint64_t piece = blockIdx.x;
  for (std::int64_t k = q - threadIdx.x; k >= 0 && a.first_piece[k] == piece; k -= kPieceThreads)
    a.offsets[k] = before;
  if (piece + 1 < std::uint64_t(a.pieces)) return;
  for (std::int64_t k = q + 1 + threadIdx.x; k <= a.queries; k += kPieceThreads)
    a.offsets[k] = before + total;
}

template <class C, class List, int kItems>
__global__ void __launch_bounds__(kPieceThreads)
    intersect_piece(typename C::Args a, Epochs* state, Descriptor<std::uint64_t>* descriptors) {
  using T = typename C::T;
  constexpr int kLists = kPieceWarps / 2;  // whose parts are found at once
  alignas(16) __shared__ Stage<T> stage;
  __shared__ Tile<std::int64_t, 2 * kLists> bounds;
  __shared__ Tile<T, 2> edges;                        // the first and the last candidate
  __shared__ Tile<int, kItems * kPieceWarps> places;  // of what each row of each warp found
  __shared__ Tile<std::uint64_t, 2> prefix;           // results before this piece, and in it
  const int t = threadIdx.x, warp = t / kWarp, lane = t % kWarp;
  start_early();
  const unsigned epoch = a.counts ? 0 : state->running();

  const std::int64_t q = warp_first_not_below(a.first_piece, 1, a.queries, std::uint64_t(blockIdx.x) + 1) - 1;
  const List shortest(a, q, 0);
  const std::int64_t first = (blockIdx.x - std::int64_t(a.first_piece[q])) * (kPieceThreads * kItems);
  Piece<T, kItems> mine;
  const int count = int(min(std::int64_t{kPieceThreads * kItems}, shortest.size() - first));
  shortest.take(first, count, mine, stage);
  if (t == 0) edges[0] = mine.ids[0];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (i * kPieceThreads + t == count - 1) edges[1] = mine.ids[i];
  }
  __syncthreads();

  const std::int64_t terms = a.terms_of(q);
  int threads_alive = kPieceThreads;
  for (std::int64_t group = 1; group < terms && threads_alive > 0; group += kLists) {
    // Warp w finds where its list's part begins (w even) or ends.
    if (const std::int64_t other = group + warp / 2; other < terms) {
      const bool after = warp % 2 != 0;
      const std::int64_t bound = List(a, q, other).bound(edges[after], after);
      if (lane == 0) bounds[warp] = bound;
    }
    __syncthreads();
    for (int k = 0; k < kLists && group + k < terms && threads_alive > 0; ++k) {
      const std::int64_t begin = bounds[2 * k], end = bounds[2 * k + 1];
      const List list(a, q, group + k);
      if (end - begin <= List::kReadUpTo * threads_alive)
        mine.keep_by_reading(list, begin, end, stage);
      else
        list.keep(begin, end, mine);
      threads_alive = __syncthreads_count(mine.alive != 0);
    }
  }

#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const unsigned row = __ballot_sync(kAllLanes, mine.alive >> i & 1);
    if (lane == 0) places[i * kPieceWarps + warp] = __popc(row);
  }
  __syncthreads();
  if (warp == 0) {
    int total = 0;
    for (int k = 0; k < kItems * kPieceWarps; k += kWarp) {
      const int through = k + lane < kItems * kPieceWarps ? places[k + lane] : 0;
      const int sum = warp_inclusive_scan<Plus>(through);
      if (k + lane < kItems * kPieceWarps) places[k + lane] = total + sum - through;
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
    if (found)
      a.out[prefix[0] + places[i * kPieceWarps + warp] + __popc(row & ((1u << lane) - 1))] = mine.ids[i];
  }
  if (t == 0) state->finish_block(epoch);
}

/// The whole step; `key` names what it keeps between calls.
template <class C, class List>
void answer_in_one_launch(const typename C::Args& a, Context& ctx, const char* key) {
  using State = Epochs*;
  using Places = Descriptor<std::uint64_t>*;
  auto* kernel = a.piece == QueryPlan::kLongPiece
                     ? intersect_piece<C, List, QueryPlan::kLongPiece / kPieceThreads>
                     : intersect_piece<C, List, QueryPlan::kShortPiece / kPieceThreads>;
  if (a.counts) {
    ctx.backend()->fill(a.counts, 0, std::size_t(a.queries) * sizeof *a.counts);
    launch(ctx, a.pieces, kPieceThreads, 0, kernel, a, State{}, Places{});
  } else {
    auto* memory = ctx.state<std::byte>(key, lookback_bytes<std::uint64_t>(a.pieces));
    launch_early(ctx, a.pieces, kPieceThreads, 0, kernel, a, reinterpret_cast<State>(memory),
                 descriptors_in<std::uint64_t>(memory));
  }
}

}  // namespace tandem
