#pragma once
// The candidates of a piece, as a block of batch, deferred, dense_bits or packed_batch holds them: in
// registers, striped over the threads, each alive until a list turns out not to hold it.

#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {

constexpr int kPieceThreads = 256;
constexpr int kPieceWarps = kPieceThreads / kWarp;
constexpr int kShortItems = QueryPlan::kShortPiece / kPieceThreads;  // candidates of a thread
constexpr int kLongItems = QueryPlan::kLongPiece / kPieceThreads;
constexpr int kStage = 4096;  // ids in shared memory

/// Warp-wide: the query that a piece belongs to.
template <class Args>
__device__ std::int64_t query_of_piece(const Args& a, std::int64_t piece) {
  return warp_first_not_below(a.first_piece, 1, a.queries, std::uint64_t(piece) + 1) - 1;
}

/// Candidate i of a thread is number i · kPieceThreads + threadIdx.x of the piece, alive as long as bit i is
/// set.
template <class T, int kItems>
struct Candidates {
  T ids[kItems];
  unsigned alive = 0;

  /// Block-wide: candidate i of `count` is get(i). After the next barrier `edges` holds the first and the
  /// last one.
  template <class Get>
  __device__ void fill(int count, Shared<T, 2>& edges, Get get) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int number = i * kPieceThreads + int(threadIdx.x);
      if (number >= count) continue;
      ids[i] = get(number);
      alive |= 1u << i;
    }
    if (threadIdx.x == 0) edges[0] = ids[0];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i * kPieceThreads + int(threadIdx.x) == count - 1) edges[1] = ids[i];
    }
  }

  /// Thread-wide: keeps the candidates for which holds(id).
  template <class Holds>
  __device__ void keep_if(Holds holds) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if ((alive >> i & 1) && !holds(ids[i])) alive &= ~(1u << i);
    }
  }

  /// Block-wide: keeps the candidates that are among ids begin … end − 1 of a list, which come into shared
  /// memory window by window: load(first, size) puts ids first … first + size − 1 into the stage.
  template <class Load>
  __device__ void keep_by_reading(std::int64_t begin, std::int64_t end, Shared<T, kStage>& stage, Load load) {
    unsigned found = 0;
    for (std::int64_t first = begin; first < end; first += kStage) {
      const int size = int(min(std::int64_t{kStage}, end - first));
      __syncthreads();  // the window before has been used up
      load(first, size);
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

  /// Block-wide: row i of a warp is candidate i of its lanes; ranks[i · kPieceWarps + w] becomes the number
  /// of results before row i of warp w. Warp 0, which writes the ranks, gets the number of all results, the
  /// other warps 0.
  __device__ int rank(Shared<int, kItems * kPieceWarps>& ranks) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned row = __ballot_sync(kAllLanes, alive >> i & 1);
      if (lane == 0) ranks[i * kPieceWarps + warp] = __popc(row);
    }
    __syncthreads();
    int total = 0;
    if (warp != 0) return total;
    for (int k = 0; k < kItems * kPieceWarps; k += kWarp) {
      const int through = k + lane < kItems * kPieceWarps ? ranks[k + lane] : 0;
      const int sum = warp_inclusive_scan<Plus>(through);
      if (k + lane < kItems * kPieceWarps) ranks[k + lane] = total + sum - through;
      total += shuffle(sum, kWarp - 1);
    }
    return total;
  }

  /// Warp-wide, a barrier after rank(): puts the results into the stage, in order.
  __device__ void gather(Shared<int, kItems * kPieceWarps>& ranks, Shared<T, kStage>& stage) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const bool found = alive >> i & 1;
      const unsigned row = __ballot_sync(kAllLanes, found);
      if (found) stage[ranks[i * kPieceWarps + warp] + __popc(row & ((1u << lane) - 1))] = ids[i];
    }
  }
};

/// Thread-wide: adds the results of a piece to the count of its query.
template <class Args>
__device__ void add_count(const Args& a, std::int64_t q, int total) {
  using Word = unsigned long long;
  if (total > 0) atomicAdd(reinterpret_cast<Word*>(&a.counts[q]), Word(total));
}

/// Host: launches a block for each piece, of the kernel for short or for long pieces.
template <class Args, class... P, class... A>
void launch_pieces(const Args& a, Context& ctx, void (*short_piece)(P...), void (*long_piece)(P...),
                   A... args) {
  auto* kernel = a.piece == QueryPlan::kLongPiece ? long_piece : short_piece;
  if (a.counts) {
    ctx.fill(a.counts, 0, std::size_t(a.queries) * sizeof *a.counts);
    launch(ctx, a.pieces, kPieceThreads, 0, kernel, a, args...);
  } else {
    launch_early(ctx, a.pieces, kPieceThreads, 0, kernel, a, args...);
  }
}

}  // namespace tandem
