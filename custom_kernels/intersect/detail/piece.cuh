#pragma once
// The kernel of batch, deferred, dense_bits and packed_batch, steps of intersect that differ in how a list lies in memory and how
// results find their places. A block has a piece of a query's shortest list and takes it through all other lists of that
// query.
//
// `List` is one of them, made of (args, query, number):
//   List::blocks(items)                on a multiprocessor at once, for which registers must suffice, given kItems
//   List::kBits                        whether dense parts become bits: then each_pack(begin, end, put) calls put(pack, from,
//                                      to) for all of them, the ids pack.values[from] … [to − 1] at a time
//   List::kReadUpTo                    ids of a part for each thread with a candidate: beyond, searching moves less
//   size()                             ids
//   bound(id, after), by a warp        a place with no id from `id` on in front of it (after: none up to `id` behind it)
//   take(first, count, piece, stage)   ids first … first + count − 1 become the piece's candidates
//   load(first, count, stage)          the same into shared memory; `first` is a bound, or whole stages behind one
//   keep(begin, end, piece)            those candidates stay that are among ids begin … end − 1, which are bounds
//
// `Results` says where a piece's results go, unless they are only counted:
//   place(args, q, first, total), by a warp   where `total` ids go, of the piece of query q whose candidates start at `first`
//   finish(args, q, place, total)             when they are on their way

#include "tandem/device/vector_access.cuh"
#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {

constexpr int kPieceThreads = 256;
constexpr int kPieceWarps = kPieceThreads / kWarp;
constexpr int kStage = 4096;  // ids in shared memory
template <class T>
using Stage = Shared<T, kStage>;

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

  /// Keeps those that are among ids begin … end − 1 of the list, of which those from `lowest` to lowest + span become bits in
  /// shared memory: all candidates lie there.
  template <class List>
  __device__ void keep_by_bits(const List& list, std::int64_t begin, std::int64_t end, T lowest, T span,
                               Stage<T>& bits) {
    constexpr int kBitsOfWord = 8 * sizeof(T);
    __syncthreads();  // what was there before has been used up
    for (T word = threadIdx.x; word <= span / kBitsOfWord; word += kPieceThreads) bits[word] = 0;
    __syncthreads();
    list.each_pack(begin, end, [&](const Pack<T>& ids, int from, int to) {
      T word = 0, ones = 0;  // neighbours often share a word
#pragma unroll
      for (int k = 0; k < Pack<T>::kSize; ++k) {
        const T place = ids.values[k] - lowest;
        if (k < from || k >= to || place > span) continue;
        if (place / kBitsOfWord != word) {
          if (ones) atomicOr(&bits[word], ones);
          ones = 0;
          word = place / kBitsOfWord;
        }
        ones |= T{1} << place % kBitsOfWord;
      }
      if (ones) atomicOr(&bits[word], ones);
    });
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!(alive >> i & 1)) continue;
      const T place = ids[i] - lowest;
      if (!(bits[place / kBitsOfWord] >> place % kBitsOfWord & 1)) alive &= ~(1u << i);
    }
  }
};

/// A list whose ids lie one by one.
template <class T, bool kDenseAsBits = false>
class PlainList {
 public:
  static constexpr int blocks(int) { return 5; }
  static constexpr bool kBits = kDenseAsBits;
  static constexpr std::int64_t kReadUpTo = 32;

  template <class Args>
  __device__ PlainList(const Args& a, std::int64_t q, std::int64_t t) : list_(a.list(q, t)) {}
  __device__ std::int64_t size() const { return list_.size; }
  __device__ std::int64_t bound(T id, bool after) const {
    return warp_first_not_below(list_.ids, 0, list_.size, std::uint64_t{id} + after);
  }
  template <class Candidates>
  __device__ void take(std::int64_t first, int count, Candidates& piece, Stage<T>&) const {
    piece.fill(count, [&](int i) { return list_.ids[first + i]; });
  }
  __device__ void load(std::int64_t first, int count, Stage<T>& stage) const {
    for (int i = threadIdx.x; i < count; i += kPieceThreads) stage[i] = list_.ids[first + i];
  }
  template <class Put>
  __device__ void each_pack(std::int64_t begin, std::int64_t end, Put put) const {
    // Packs are aligned in memory; the first and the last may reach beyond the part.
    const T* part = list_.ids + begin;
    const int ahead = int(unaligned_head(part, Pack<T>::kSize)), shift = ahead ? Pack<T>::kSize - ahead : 0;
    for (std::int64_t at = std::int64_t(threadIdx.x) * Pack<T>::kSize - shift; at < end - begin;
         at += kPieceThreads * Pack<T>::kSize) {
      const int from = at < 0 ? shift : 0, to = int(min(std::int64_t{Pack<T>::kSize}, end - begin - at));
      Pack<T> pack;
      if (from == 0 && to == Pack<T>::kSize) {
        pack = *reinterpret_cast<const Pack<T>*>(part + at);
      } else {
#pragma unroll
        for (int k = 0; k < Pack<T>::kSize; ++k) {
          if (k >= from && k < to) pack.values[k] = part[at + k];
        }
      }
      put(pack, from, to);
    }
  }
  template <class Candidates>
  __device__ void keep(std::int64_t begin, std::int64_t end, Candidates& piece) const {
#pragma unroll
    for (int i = 0; i < Candidates::kSize; ++i) {
      if (!(piece.alive >> i & 1)) continue;
      const std::int64_t at = first_not_below(list_.ids, begin, end, piece.ids[i]);
      if (at == end || list_.ids[at] != piece.ids[i]) piece.alive &= ~(1u << i);
    }
  }

 private:
  PostingList<T> list_;
};

/// Whether a part of so many ids is made bits, of which `span` + 1 are needed: they must fit, and to clear a word must not
/// cost more than to read an id.
template <class T>
__device__ bool is_dense(std::int64_t ids, T span) {
  const T words = span / (8 * sizeof(T)) + 1;
  return words <= kStage && words <= ids;
}

/// With a query's first piece, its offset and those of the queries before it without any; with the last piece, of the
/// rest. By `threads` threads, of which this is the `mine`-th; `before`: results before the piece.
template <class Args>
__device__ void write_offsets(const Args& a, std::uint64_t piece, std::int64_t q, std::uint64_t before,
                              std::uint64_t total, int mine, int threads) {
  for (std::int64_t k = q - mine; k >= 0 && a.first_piece[k] == piece; k -= threads) a.offsets[k] = before;
  if (piece + 1 < std::uint64_t(a.pieces)) return;
  for (std::int64_t k = q + 1 + mine; k <= a.queries; k += threads) a.offsets[k] = before + total;
}

/// The query that a piece belongs to, by a warp.
template <class Args>
__device__ std::int64_t query_of_piece(const Args& a, std::int64_t piece) {
  return warp_first_not_below(a.first_piece, 1, a.queries, std::uint64_t(piece) + 1) - 1;
}

template <class C, class List, class Results, int kItems>
__global__ void __launch_bounds__(kPieceThreads, List::blocks(kItems))
    intersect_piece(typename C::Args a, Results results) {
  using T = typename C::T;
  constexpr int kLists = kPieceWarps / 2;  // whose parts are found at once
  alignas(16) __shared__ Stage<T> stage;
  __shared__ Shared<std::int64_t, 2 * kLists> bounds;
  __shared__ Shared<T, 2> edges;                        // the first and the last candidate
  __shared__ Shared<int, kItems * kPieceWarps> places;  // of what each row of each warp found
  __shared__ Shared<T*, 1> shared_place;
  __shared__ Shared<int, 1> shared_total;
  const int t = threadIdx.x, warp = t / kWarp, lane = t % kWarp;
  start_early();

  const std::int64_t q = query_of_piece(a, blockIdx.x);
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
  int threads_alive = __syncthreads_count(mine.alive != 0);

  const std::int64_t terms = a.terms_of(q);
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
      if (List::kBits && is_dense(end - begin, edges[1] - edges[0]))
        mine.keep_by_bits(list, begin, end, edges[0], edges[1] - edges[0], stage);
      else if (end - begin <= List::kReadUpTo * threads_alive)
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
    T* place = results.place(a, q, first, total);
    if (lane == 0) {
      shared_place[0] = place;
      shared_total[0] = total;
    }
  }
  if (a.counts) return;
  __syncthreads();
  T* place = shared_place[0];
  const int total = shared_total[0];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const bool found = mine.alive >> i & 1;
    const unsigned row = __ballot_sync(kAllLanes, found);
    if (found) stage[places[i * kPieceWarps + warp] + __popc(row & ((1u << lane) - 1))] = mine.ids[i];
  }
  __syncthreads();
  for (int i = t; i < total; i += kPieceThreads) place[i] = stage[i];  // in whole lines
  results.finish(a, q, place, total);
}

/// Launches intersect_piece for all pieces.
template <class C, class List, class Results>
void intersect_pieces(const typename C::Args& a, Context& ctx, Results results) {
  auto* kernel = a.piece == QueryPlan::kLongPiece
                     ? intersect_piece<C, List, Results, QueryPlan::kLongPiece / kPieceThreads>
                     : intersect_piece<C, List, Results, QueryPlan::kShortPiece / kPieceThreads>;
  if (a.counts) {
    ctx.fill(a.counts, 0, std::size_t(a.queries) * sizeof *a.counts);
    launch(ctx, a.pieces, kPieceThreads, 0, kernel, a, results);
  } else {
    launch_early(ctx, a.pieces, kPieceThreads, 0, kernel, a, results);
  }
}

}  // namespace tandem
