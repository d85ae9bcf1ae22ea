#pragma once
// The chunks of precise_start and svs_precise_start: a thread owns 16 neighbouring candidates. The 32 chunks
// of a warp are neighbours in one query, so that a lane can ask the next one where its chunk falls in a list.

#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {

constexpr int kChunk = 16;  // candidates of a thread
constexpr int kChunkThreads = 128;
constexpr int kWarpChunks =
    kWarp * kChunk;  // candidates of a warp: a piece of 512, or a quarter of one of 2048

template <class T>
struct CandidateChunk {
  std::int64_t query;   // −1 behind the last piece, for all lanes of the warp
  std::int64_t number;  // of the first candidate, counted through the batch
  const T* candidates;
  int count;  // 0 for a thread behind the end of the list
};

/// Thread-wide: the chunk of this thread.
template <class T, class Args>
__device__ CandidateChunk<T> chunk_of_thread(const Args& a) {
  const int of_piece = a.piece / kWarpChunks;
  const std::int64_t warp = std::int64_t(blockIdx.x) * (kChunkThreads / kWarp) + threadIdx.x / kWarp;
  const std::int64_t piece = warp / of_piece;
  if (piece >= a.pieces) return {-1, 0, nullptr, 0};
  const std::int64_t q =
      first_not_below(a.first_piece, std::int64_t{1}, a.queries, std::uint64_t(piece) + 1) - 1;
  const PostingList<T> shortest = a.list(q, 0);
  const std::int64_t first = (piece - a.first_piece[q]) * a.piece + warp % of_piece * kWarpChunks +
                             std::int64_t(threadIdx.x % kWarp) * kChunk;
  const int count = int(max(std::int64_t(0), min(std::int64_t(kChunk), shortest.size - first)));
  return {q, std::int64_t(a.first_candidate[q]) + first, shortest.ids + first, count};
}

/// Host: how many blocks of kChunkThreads have a thread for every chunk.
template <class Args>
std::int64_t chunk_blocks(const Args& a) {
  return ceil_div(a.pieces * (a.piece / kWarpChunks), kChunkThreads / kWarp);
}

}  // namespace tandem
