// Idea:    a block solves a few neighbouring systems, and a thread has a chunk of rows of one of them. The
//          threads of one chunk are neighbours where the systems are, so interleaved systems are read in
//          whole sectors; the chunks of a system meet in shared memory, where parallel cyclic reduction
//          solves for their last unknowns.
// New:     against warp_hybrid, no exchange, and systems may be as long as a block has chunks. Against naive,
//          each system has many threads, c′ and d′ stay on chip, and 5 words per unknown move instead of 9.
// Expect:  the bandwidth of a copy at 5 words per unknown; log2(chunks) barriers in between, which other
//          blocks hide.
// Limits:  up to 192 chunks of 16 rows: with more, parallel cyclic reduction loses digits on −1, 2, −1. Many
//          chunks keep c′ and d′ in shared memory: then few blocks fit on a multiprocessor to hide each
//          other's waits. Contiguous systems are read a sector of each line at a time. Deterministic.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; Klein, Strzodka 2021, "Tridiagonal GPU
//          solver with scaled partial pivoting at maximum bandwidth", for the partition in one pass.

#include <algorithm>

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/tridiagonal.cuh"

namespace tandem {
namespace {

constexpr int kMostChunks = 192;
constexpr std::int64_t kMostRows = std::int64_t{16} * kMostChunks;

/// Thread t has chunk t / width of the block's system t % width; threads = width · chunks. kDense: no chunk
/// and no block is cut short, and all arrays have one layout. kAhead rows of a thread are in flight.
template <class C, int kRows, bool kInRegisters, int kMostThreads, int kAhead, bool kDense>
__global__ void __launch_bounds__(kMostThreads) split_systems(typename C::Args a, int width, int chunks) {
  using T = typename C::T;
  using Values = std::conditional_t<kInRegisters, T[kRows], SharedSlice<T>>;
  const int threads = int(blockDim.x), t = int(threadIdx.x), index = t / width;
  const std::int64_t system = std::int64_t(blockIdx.x) * width + t % width;
  const std::int64_t first = std::int64_t(index) * kRows;
  const bool real = kDense || system < a.count;
  // Rows of the system from `first` on, of which kRows + 1 matter.
  const int rest = real ? int(min(a.n - first, std::int64_t(kRows + 1))) : 0;
  const std::int64_t m = real ? a.start(a.matrix, system) + first * a.matrix.row : 0;
  const std::int64_t v = kDense ? m : real ? a.start(a.vector, system) + first * a.vector.row : 0;
  Chunk<T, kRows, Values> chunk;
  if constexpr (!kInRegisters) {
    chunk.upper = {kBlockSolveWords * threads + t, threads};
    chunk.rhs = {(kBlockSolveWords + kRows) * threads + t, threads};
  }
  chunk.template eliminate<kAhead>([&](int i) -> TridiagonalRow<T> {
    const bool inside = kDense || i < rest, has_lower = inside && (i > 0 || index > 0),
               has_upper = (kDense && i + 1 < kRows) || i + 1 < rest;
    const std::int64_t at = m + i * a.matrix.row, at_rhs = kDense ? at : v + i * a.vector.row;
    return {has_lower ? a.lower[at] : T(0), inside ? a.diag[at] : T(1), has_upper ? a.upper[at] : T(0),
            inside ? a.rhs[at_rhs] : T(0)};
  });
  block_solve_chunks(chunk, width, chunks);
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (kDense || i < rest) a.x[v + i * a.vector.row] = chunk.rhs[i];
  }
  if (chunk.failed < kRows && real) report_first_pivot(a, system, first + chunk.failed);
}

/// widest: systems side by side in a block, where its threads suffice.
template <class C, int kRows, bool kInRegisters, int kMostThreads, int kAhead>
void solve_with_chunks(const typename C::Args& a, Context& ctx, int widest) {
  using T = typename C::T;
  constexpr int kPaddedThreads = std::min(kMostThreads, 640);  // tests for the ends take registers
  const int chunks = int(ceil_div(a.n, kRows));
  const auto start = [&](auto* kernel, int width) {
    const int threads = width * chunks, words = kBlockSolveWords + (kInRegisters ? 0 : 2 * kRows);
    launch(ctx, ceil_div(a.count, width), threads, std::size_t(words) * threads * sizeof(T), kernel, a, width,
           chunks);
  };
  const int width = std::min(widest, kMostThreads / chunks);
  const bool dense = a.n % kRows == 0 && a.count % width == 0 && a.matrix.row == a.vector.row &&
                     a.matrix.system == a.vector.system && a.matrix.block == a.vector.block;
  if (dense)
    start(split_systems<C, kRows, kInRegisters, kMostThreads, kAhead, true>, width);
  else
    start(split_systems<C, kRows, kInRegisters, kPaddedThreads, kAhead, false>,
          std::min(widest, kPaddedThreads / chunks));
}

/// Memory is best read 64 bytes or more at a time, so a block has so many systems side by side where its
/// threads suffice. Chunks of long systems have c′ and d′ in shared memory: in a block of 1,024 threads each
/// then has registers for 4 rows ahead.
template <class C>
void split(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kWidth = 64 / sizeof(T), kMostThreads = sizeof(T) == 4 ? 1024 : 512;
  if (a.n <= 128) return solve_with_chunks<C, 8, true, 512, 8>(a, ctx, 32);
  if constexpr (sizeof(T) == 4) {
    if (a.n <= 256) return solve_with_chunks<C, 16, true, 512, 16>(a, ctx, kWidth);
  }
  solve_with_chunks<C, 16, false, kMostThreads, 4>(a, ctx, kWidth);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.n > kMostRows)
    return "takes up to " + std::to_string(kMostRows) + " rows, on chip in a block";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

REGISTER(Tridiagonal, split,
         .note = "a block per few systems: neighbouring threads have neighbouring systems",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
