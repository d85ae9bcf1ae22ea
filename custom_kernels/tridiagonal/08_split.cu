// Idea:    a block has a few neighbouring systems, and a thread a run of rows of one of them. The threads of one run
//          are neighbours in memory where the systems are, so interleaved systems are read in whole sectors; runs of
//          one system meet in shared memory, where their last unknowns are solved for.
// New:     against warp_hybrid, no turning round, and systems may be as long as a block has runs. Against naive, each
//          system has many threads, c′ and d′ stay in registers, and 5 words per unknown move instead of 9.
// Expect:  the bandwidth of a copy at 5 words per unknown; log2(runs) barriers in between, which other blocks hide.
// Limits:  up to 512 runs of 16 rows (doubles: 8). Contiguous systems are read in runs, a sector of each line at a time. Repeats bit
//          for bit.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; Klein, Strzodka 2021, "Tridiagonal GPU solver with
//          scaled partial pivoting at maximum bandwidth", for the partition in one pass.

#include <algorithm>
#include <bit>

#include "custom_kernels/common/chunk.cuh"

namespace tandem {
namespace {

constexpr int kMostThreads = 512;
constexpr int kSector = 32;  // bytes

/// Thread t has run t / width of system t % width of the block's; threads = width · runs.
template <class C, int kRows>
__global__ void __launch_bounds__(kMostThreads) split_systems(typename C::Args a, int width, int runs) {
  using T = typename C::T;
  auto rows = dynamic_shared<Row<T>>();
  const int threads = int(blockDim.x), run = int(threadIdx.x) / width;
  const std::int64_t system = std::int64_t(blockIdx.x) * width + threadIdx.x % width;
  const std::int64_t first = std::int64_t(run) * kRows;
  const bool real = system < a.count;
  const std::int64_t m = real ? a.start(a.matrix, system) + first * a.matrix.row : 0;
  const std::int64_t v = real ? a.start(a.vector, system) + first * a.vector.row : 0;
  Chunk<T, kRows> chunk;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const bool inside = real && first + i < a.n;
    chunk.lower[i] = inside && first + i > 0 ? a.lower[m + i * a.matrix.row] : T(0);
    chunk.diag[i] = inside ? a.diag[m + i * a.matrix.row] : T(1);
    chunk.upper[i] = inside && first + i + 1 < a.n ? a.upper[m + i * a.matrix.row] : T(0);
    chunk.rhs[i] = inside ? a.rhs[v + i * a.vector.row] : T(0);
  }
  int failed = chunk.eliminate();

  // What neighbours know of each other lies width apart; two halves take turns, so that one barrier per step will do.
  const int t = int(threadIdx.x);
  rows[t] = chunk.first_row();
  __syncthreads();
  T pivot;
  Row<T> row = chunk.last_row(run + 1 < runs ? Row<T>(rows[t + width]) : Row<T>{}, pivot);
  bool all_usable = divide(row, pivot);
  int half = threads;
  for (int distance = 1; distance < runs; distance *= 2, half = threads - half) {
    rows[half + t] = row;
    __syncthreads();
    const Row<T> before = run >= distance ? Row<T>(rows[half + t - distance * width]) : Row<T>{};
    const Row<T> after = run + distance < runs ? Row<T>(rows[half + t + distance * width]) : Row<T>{};
    all_usable &= divide(row, reduce_row(row, before, after));
  }
  rows[half + t].rhs = row.rhs;
  __syncthreads();
  chunk.substitute(run > 0 ? rows[half + t - width].rhs : T(0), row.rhs);
  if (failed == kRows && !all_usable) failed = kRows - 1;
  if (failed < kRows && real) report_pivot(a, system, first + failed);
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (real && first + i < a.n) a.x[v + i * a.vector.row] = chunk.rhs[i];
  }
}

template <class C, int kRows>
void with_rows(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  // As many systems as give a block of about 256 threads, at least a sector of them side by side.
  const int runs = int(ceil_div(a.n, kRows));
  const int narrowest = kSector / int(sizeof(T));
  const int width =
      std::clamp(256 / int(std::bit_ceil(unsigned(runs))), std::min(narrowest, kMostThreads / runs), 32);
  const int threads = width * runs;
  launch(ctx, ceil_div(a.count, width), threads, 2 * std::size_t(threads) * sizeof(Row<T>),
         split_systems<C, kRows>, a, width, runs);
}

template <class C>
void split(const typename C::Args& a, Context& ctx) {
  if (sizeof(typename C::T) == 8 || a.n <= 512)
    with_rows<C, 8>(a, ctx);
  else
    with_rows<C, 64 / sizeof(typename C::T)>(a, ctx);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  const std::int64_t longest = kMostThreads * 64 / std::int64_t(size_of(id.type));
  if (shape.systems.n > longest)
    return "takes up to " + std::to_string(longest) + " rows, in the registers of a block";
  return Tridiagonal::refuse_pivot(shape, id);
}

REGISTER(Tridiagonal, split,
         .note = "systems in registers of a block: neighbouring threads have neighbouring systems",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
