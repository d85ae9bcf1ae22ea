// Idea:    a block computes 32 × 32 results, one per thread, from tiles of A and B that it brings into shared
//          memory together.
// New:     against coalesced, an element of A or B is read from global memory once for 32 results.
// Expect:  a 32nd of the global loads; now each multiply-add takes two loads from shared memory, which serves
//          one request per cycle and multiprocessor: an eighth of the arithmetic at best.
// Limits:  shared memory; two barriers for every 32 steps of k.
// Source:  Kirk, Hwu, "Programming massively parallel processors", chapter 5.

#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kSide = 32;  // of all tiles
constexpr int kThreads = kSide * kSide;

template <class C>
__global__ void __launch_bounds__(kThreads)
    shared_tile_block(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  __shared__ Shared<T, kSide * kSide> a;
  __shared__ Shared<T, kSide * kSide> b;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  const std::int64_t row = blockIdx.x / tiles_per_row * kSide + y;
  const std::int64_t col = blockIdx.x % tiles_per_row * kSide + x;
  T sum = 0;
  for (std::int64_t p0 = 0; p0 < g.k; p0 += kSide) {
    // Zeros beyond the edges add nothing.
    a[y * kSide + x] = row < g.m && p0 + x < g.k ? g.a(row, p0 + x) : T(0);
    b[y * kSide + x] = p0 + y < g.k && col < g.n ? g.b(p0 + y, col) : T(0);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kSide; ++p) sum += a[y * kSide + p] * b[p * kSide + x];
    __syncthreads();
  }
  if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

template <class C>
void shared_tile(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, kSide);
  launch(ctx, ceil_div(g.m, kSide) * tiles_per_row, kThreads, 0, shared_tile_block<C>, g, tiles_per_row);
}

REGISTER(Gemm, shared_tile, .note = "32 x 32 tiles in shared memory, one result per thread")

}  // namespace
}  // namespace tandem
