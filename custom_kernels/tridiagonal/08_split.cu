// Idea:    a block has a few neighbouring systems, and a thread a run of rows of one of them. The threads of one run
//          are neighbours in memory where the systems are, so interleaved systems are read in whole sectors; runs of
//          one system meet in shared memory, where their last unknowns are solved for.
// New:     against warp_hybrid, no turning round, and systems may be as long as a block has runs. Against naive, each
//          system has many threads, c′ and d′ stay in registers, and 5 words per unknown move instead of 9.
// Expect:  the bandwidth of a copy at 5 words per unknown; log2(runs) barriers in between, which other blocks hide.
// Limits:  up to 512 runs of 16 rows, whose c′ and d′ are in shared memory where the runs are many: then few blocks fit
//          on a multiprocessor to hide each other's waits. Contiguous systems are read a sector of each line at a time. Repeats bit for bit.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; Klein, Strzodka 2021, "Tridiagonal GPU solver with
//          scaled partial pivoting at maximum bandwidth", for the partition in one pass.

#include <algorithm>

#include "custom_kernels/common/chunk.cuh"

namespace tandem {
namespace {

constexpr int kMostThreads = 512;

/// Thread t has run t / width of system t % width of the block's; threads = width · runs. kDense: no run and no block is
/// cut short, and all arrays have one layout.
template <class C, int kRows, bool kInRegisters, bool kDense>
__global__ void __launch_bounds__(kMostThreads) split_systems(typename C::Args a, int width, int runs) {
  using T = typename C::T;
  using Values = std::conditional_t<kInRegisters, T[kRows], SharedColumn<T>>;
  auto shared = dynamic_shared<T>();
  const int threads = int(blockDim.x), t = int(threadIdx.x), run = t / width;
  const std::int64_t system = std::int64_t(blockIdx.x) * width + t % width;
  const std::int64_t first = std::int64_t(run) * kRows;
  const bool real = kDense || system < a.count;
  const std::int64_t m = real ? a.start(a.matrix, system) + first * a.matrix.row : 0;
  const std::int64_t v = kDense ? m : real ? a.start(a.vector, system) + first * a.vector.row : 0;
  Chunk<T, kRows, Values> chunk;
  if constexpr (!kInRegisters) {
    chunk.upper = {6 * threads + t, threads};
    chunk.rhs = {(6 + kRows) * threads + t, threads};
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const bool inside = kDense || (real && first + i < a.n);
    const std::int64_t at = m + i * a.matrix.row, at_rhs = kDense ? at : v + i * a.vector.row;
    const bool has_lower = inside && (i > 0 || run > 0);
    const bool has_upper = kDense && i + 1 < kRows ? true : inside && first + i + 1 < a.n;
    chunk.lower[i] = has_lower ? a.lower[at] : T(0);
    chunk.diag[i] = inside ? a.diag[at] : T(1);
    chunk.upper[i] = has_upper ? a.upper[at] : T(0);
    chunk.rhs[i] = inside ? a.rhs[at_rhs] : T(0);
  }
  int failed = chunk.eliminate();

  // A row for each thread, in two halves that take turns, so that one barrier per step will do.
  int half = 0;
  const auto put = [&](const Row<T>& row) {
    shared[half + t] = row.lower;
    shared[half + threads + t] = row.upper;
    shared[half + 2 * threads + t] = row.rhs;
    __syncthreads();
  };
  const auto get = [&](int distance) -> Row<T> {  // in runs
    if (run + distance < 0 || run + distance >= runs) return {0, 0, 0};
    const int at = half + t + distance * width;
    return {shared[at], shared[at + threads], shared[at + 2 * threads]};
  };
  put(chunk.first_row());
  T pivot;
  Row<T> row = chunk.last_row(get(1), pivot);
  bool all_usable = divide(row, pivot);
  for (int distance = 1; distance < runs; distance *= 2) {
    half = 3 * threads - half;
    put(row);
    all_usable &= divide(row, reduce_row(row, get(-distance), get(distance)));
  }
  half = 3 * threads - half;
  put(row);
  chunk.substitute(get(-1).rhs, row.rhs);
  if (failed == kRows && !all_usable) failed = kRows - 1;
  if (failed < kRows && real) report_pivot(a, system, first + failed);
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (kDense || (real && first + i < a.n)) a.x[v + i * a.vector.row] = chunk.rhs[i];
  }
}

template <class C, int kRows, bool kInRegisters = true>
void with_rows(const typename C::Args& a, Context& ctx, int widest) {
  using T = typename C::T;
  const int runs = int(ceil_div(a.n, kRows)), width = std::min(widest, kMostThreads / runs),
            threads = width * runs;
  const bool dense = a.n % kRows == 0 && a.count % width == 0 && a.matrix.row == a.vector.row &&
                     a.matrix.system == a.vector.system && a.matrix.block == a.vector.block;
  auto* kernel =
      dense ? split_systems<C, kRows, kInRegisters, true> : split_systems<C, kRows, kInRegisters, false>;
  const std::size_t words = kInRegisters ? 6 : 6 + 2 * kRows;
  launch(ctx, ceil_div(a.count, width), threads, words * threads * sizeof(T), kernel, a, width, runs);
}

// Memory is best read 64 bytes or more at a time, so a block has at least so many systems side by side where its threads
// suffice; then longer systems need longer runs.
template <class C>
void split(const typename C::Args& a, Context& ctx) {
  constexpr int kWidth = 64 / sizeof(typename C::T);
  if (a.n <= 128)
    with_rows<C, 8>(a, ctx, 32);
  else if (a.n <= 32 * kWidth)
    with_rows<C, kWidth>(a, ctx, kWidth);
  else
    with_rows<C, 16, false>(a, ctx, kWidth);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.n > 16 * kMostThreads) return "takes up to 8192 rows, on chip in a block";
  return Tridiagonal::refuse_pivot(shape, id);
}

REGISTER(Tridiagonal, split,
         .note = "systems in registers of a block: neighbouring threads have neighbouring systems",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
