#pragma once
// Results of intersect's pieces that wait aside until it is known how many lie before each: steps deferred,
// dense_bits and packed_batch.

#include "custom_kernels/intersect/detail/piece.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {

/// Results go where their candidates were numbered, and how many they are into `sizes`, for each piece.
template <class T>
struct Deferred {
  T* aside;
  std::uint32_t* sizes;

  template <class Args>
  __device__ T* place(const Args& a, std::int64_t q, std::int64_t first, int total) const {
    if (threadIdx.x % kWarp == 0) sizes[blockIdx.x] = total;
    return aside + a.first_candidate[q] + first;
  }
  template <class Args>
  __device__ void finish(const Args&, std::int64_t, const T*, int) const {}
};

/// A block moves the results of as many pieces as it has warps.
template <class C>
__global__ void place_results(typename C::Args a, Deferred<typename C::T> results, Epochs* state,
                              Descriptor<std::uint64_t>* descriptors) {
  __shared__ Shared<std::uint64_t, kPieceWarps> places;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  start_early();
  const std::int64_t first = std::int64_t(blockIdx.x) * kPieceWarps, piece = first + warp;
  if (warp == 0) {
    const unsigned epoch = state->running();
    const bool counts = lane < kPieceWarps && first + lane < a.pieces;
    const std::uint64_t mine = counts ? results.sizes[first + lane] : 0;
    const std::uint64_t through = warp_inclusive_scan<Plus>(mine), total = shuffle(through, kWarp - 1);
    std::uint64_t before = 0;
    if (blockIdx.x > 0) {
      if (lane == 0) descriptors[blockIdx.x].publish(total, 2 * epoch);
      before = look_back<Plus>(descriptors, blockIdx.x, epoch);
    }
    if (lane == 0) descriptors[blockIdx.x].publish(before + total, 2 * epoch + 1);
    if (lane < kPieceWarps) places[lane] = before + through - mine;
  }
  __syncthreads();
  if (piece < a.pieces) {
    const std::int64_t q = query_of_piece(a, piece);
    const std::uint32_t size = results.sizes[piece];
    const auto* from = results.aside + a.first_candidate[q] + (piece - a.first_piece[q]) * a.piece;
    auto* to = a.out + places[warp];
#pragma unroll 8
    for (std::uint32_t i = lane; i < size; i += kWarp) to[i] = from[i];
    write_offsets(a, piece, q, places[warp], size, lane, kWarp);
  }
  if (threadIdx.x == 0) state->finish_block(state->running());
}

/// The whole step; `key` names what it keeps between calls.
template <class C, class List>
void intersect_and_place(const typename C::Args& a, Context& ctx, const char* key) {
  using T = typename C::T;
  Deferred<T> results{};
  if (!a.counts) results = {ctx.scratch<T>(a.candidates), ctx.scratch<std::uint32_t>(a.pieces)};
  intersect_pieces<C, List>(a, ctx, results);
  if (a.counts) return;
  const std::int64_t blocks = ceil_div(a.pieces, kPieceWarps);
  auto* memory = ctx.state<std::byte>(key, lookback_bytes<std::uint64_t>(blocks));
  launch_early(ctx, blocks, kPieceThreads, 0, place_results<C>, a, results, reinterpret_cast<Epochs*>(memory),
               descriptors_in<std::uint64_t>(memory));
}

}  // namespace tandem
