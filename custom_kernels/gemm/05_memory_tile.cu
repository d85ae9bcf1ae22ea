// Idea:    a thread computes TM × TN neighbouring results; the inputs of every product come from memory, and
//          so does the sum that it is added to.
// New:     against coalesced, fewer threads with more work each, and nothing is kept in registers: the form
//          from which the matrix-multiplication lab starts.
// Expect:  2 · TM · TN loads of inputs in each step of k, where registers would do with TM + TN, and as many
//          loads and stores of sums: no tile is faster than one result per thread. The caches see the reuse,
//          the load units do not; neighbouring lanes touch words TN apart.
// Limits:  as many words of scratch as C has; large tiles leave the GPU without threads
//          (tuning/memory_tile.cu).
// Source:  the matrix-multiplication lab, where register_tile is its next strategy.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C, int TM, int TN>
__global__ void memory_tile_thread(typename C::Args g, std::int64_t tiles_per_row, typename C::T* sums) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t row0 = id / tiles_per_row * TM, row_end = min(row0 + TM, g.m);
  const std::int64_t col0 = id % tiles_per_row * TN, col_end = min(col0 + TN, g.n);

  for (std::int64_t i = row0; i < row_end; ++i) {
    for (std::int64_t j = col0; j < col_end; ++j) sums[i * g.n + j] = 0;
  }
  for (std::int64_t p = 0; p < g.k; ++p) {
    for (std::int64_t i = row0; i < row_end; ++i) {
      for (std::int64_t j = col0; j < col_end; ++j) sums[i * g.n + j] += g.a(i, p) * g.b(p, j);
    }
  }
  for (std::int64_t i = row0; i < row_end; ++i) {
    for (std::int64_t j = col0; j < col_end; ++j)
      C::update(g.c[i * g.ldc + j], sums[i * g.n + j], g.alpha, g.beta);
  }
}

template <class C, int TM = 2, int TN = 2>
requires Gemm::wide<C>
void memory_tile(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, TN);
  const std::int64_t blocks = ceil_div(ceil_div(g.m, TM) * tiles_per_row, kThreads);
  auto* sums = ctx.scratch<typename C::T>(g.m * g.n);
  launch(ctx, blocks, kThreads, 0, memory_tile_thread<C, TM, TN>, g, tiles_per_row, sums);
}

REGISTER(Gemm, memory_tile, .note = "2 x 2 results per thread, inputs and sums in memory",
         .refuses = Gemm::refuse_beyond<8192>)

}  // namespace
}  // namespace tandem
