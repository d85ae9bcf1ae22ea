#pragma once
// A plain one-shot all_reduce, of which wrong ones change one thing: an element at a time, and a flag for each block and rank.

#include "custom_kernels/all_reduce/detail/fold.cuh"

namespace tandem {

constexpr int kThreads = 256;

/// Right: what a wrong kernel derives from.
struct RightOneShot {
  __device__ static std::uint64_t begin(const Peers& peers) { return begin_call(peers); }
  __device__ static std::uint64_t half(std::uint64_t call) { return call; }
  __device__ static void tell_before(const Peers&, std::uint64_t) {}
  __device__ static void tell(const Peers& peers, std::uint64_t call) { tell_all(peers, 0, call); }
  __device__ static void wait(const Peers& peers, std::uint64_t call) { wait_for_all(peers, 0, call); }
  __device__ static int rank_in_order(const Peers&, int k) { return k; }
};

template <class C, class How>
__global__ void one_shot_kernel(Peers peers, const typename C::T* in, typename C::T* out, std::int64_t n) {
  using P = Pack<typename C::T, 1>;
  const std::uint64_t call = How::begin(peers), half = How::half(call);
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  How::tell_before(peers, call);
  for (std::int64_t i = first; i < n; i += step) {
    for (int r = 0; r < peers.ranks; ++r) room<typename C::T>(peers, r, half, peers.rank * n)[i] = in[i];
  }
  How::tell(peers, call);
  How::wait(peers, call);
  for (std::int64_t i = first; i < n; i += step) {
    out[i] = fold<C, P>(peers.ranks, [&](int k) {
               return P{room<typename C::T>(peers, peers.rank, half, How::rank_in_order(peers, k) * n)[i]};
             }).values[0];
  }
}

template <class C, class How>
void one_shot_with(const typename C::Args& a, Context& ctx) {
  const std::int64_t most = a.peers.half / a.peers.ranks / static_cast<std::int64_t>(sizeof(typename C::T));
  launch_pieces<C>(ctx, a, most, kThreads, 1, one_shot_kernel<C, How>);
}

/// The flag of this thread's rank, at the others and at home.
__device__ inline std::uint64_t* told_there(const Peers& peers) {
  return &peers.head(static_cast<int>(threadIdx.x))->told[0][blockIdx.x][peers.rank];
}
__device__ inline const std::uint64_t* told_here(const Peers& peers) {
  return &peers.head(peers.rank)->told[0][blockIdx.x][threadIdx.x];
}
__device__ inline bool speaks(const Peers& peers) { return static_cast<int>(threadIdx.x) < peers.ranks; }

}  // namespace tandem
