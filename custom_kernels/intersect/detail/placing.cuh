#pragma once
// Placing the results of pieces: the offsets of queries, and the second launch of deferred, dense_bits and
// packed_batch, for whose first launch results wait aside until it is known how many lie before each.

#include "custom_kernels/intersect/detail/piece.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {

/// Thread-wide: this thread's share of the offsets that go with a piece of query q: with a query's first
/// piece its own and those of queries without candidates before it, with the last piece those behind it. The
/// thread is number `mine` of `threads`; `before` results lie before the piece, which has `total`.
template <class Args>
__device__ void write_offsets(const Args& a, std::uint64_t piece, std::int64_t q, std::uint64_t before,
                              std::uint64_t total, int mine, int threads) {
  for (std::int64_t k = q - mine; k >= 0 && a.first_piece[k] == piece; k -= threads) a.offsets[k] = before;
  if (piece + 1 < std::uint64_t(a.pieces)) return;
  for (std::int64_t k = q + 1 + mine; k <= a.queries; k += threads) a.offsets[k] = before + total;
}

/// Results that wait: those of a piece from the number of its first candidate in the batch on.
template <class T>
struct Aside {
  T* ids;
  std::uint32_t* sizes;  // results of each piece
};

/// Kernel: a block moves the results of as many pieces as it has warps to their final addresses.
template <class C>
__global__ void place_results(typename C::Args a, Aside<typename C::T> aside, Epochs* state,
                              Descriptor<std::uint64_t>* descriptors) {
  __shared__ Shared<std::uint64_t, kPieceWarps> before_piece;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  start_early();
  const std::int64_t first = std::int64_t(blockIdx.x) * kPieceWarps, piece = first + warp;
  if (warp == 0) {
    const bool counts = lane < kPieceWarps && first + lane < a.pieces;
    const std::uint64_t mine = counts ? aside.sizes[first + lane] : 0;
    const std::uint64_t through = warp_inclusive_scan<Plus>(mine), total = shuffle(through, kWarp - 1);
    const std::uint64_t before =
        publish_and_look_back<Plus>(descriptors, blockIdx.x, state->running(), total);
    if (lane < kPieceWarps) before_piece[lane] = before + through - mine;
  }
  __syncthreads();
  if (piece < a.pieces) {
    const std::int64_t q = query_of_piece(a, piece);
    const std::uint32_t size = aside.sizes[piece];
    const auto* from = aside.ids + a.first_candidate[q] + (piece - a.first_piece[q]) * a.piece;
    auto* to = a.out + before_piece[warp];
#pragma unroll 8
    for (std::uint32_t i = lane; i < size; i += kWarp) to[i] = from[i];
    write_offsets(a, piece, q, before_piece[warp], size, lane, kWarp);
  }
  if (threadIdx.x == 0) state->finish_block(state->running());
}

/// Host: memory for the results of a batch; none where they are only counted.
template <class T, class Args>
Aside<T> make_aside(const Args& a, Context& ctx) {
  if (a.counts) return {};
  return {ctx.scratch<T>(a.candidates), ctx.scratch<std::uint32_t>(a.pieces)};
}

/// Host: launches place_results, unless results are only counted. `key` names the state that it keeps between
/// calls.
template <class C>
void place_aside(const typename C::Args& a, Context& ctx, Aside<typename C::T> aside, const char* key) {
  if (a.counts) return;
  const std::int64_t blocks = ceil_div(a.pieces, kPieceWarps);
  auto* memory = ctx.state<std::byte>(key, lookback_bytes<std::uint64_t>(blocks));
  launch_early(ctx, blocks, kPieceThreads, 0, place_results<C>, a, aside, reinterpret_cast<Epochs*>(memory),
               descriptors_in<std::uint64_t>(memory));
}

}  // namespace tandem
