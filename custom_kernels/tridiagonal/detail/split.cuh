#pragma once
// Systems in the registers of a block, a few neighbouring ones at a time, a run of rows per thread: the kernel behind
// tridiagonal/custom/split, and behind tandem::tridiagonal for coefficients that a functor computes (lib/tandem.cuh).

#include <algorithm>

#include "custom_kernels/tridiagonal/detail/chunk.cuh"

namespace tandem {

/// Thread t has run t / width of system t % width of the block's; threads = width · runs. kDense: no run and no block is
/// cut short, and all arrays have one layout.
template <class C, int kRows, bool kInRegisters, int kMostThreads, int kAhead, bool kDense, class Rows>
__global__ void __launch_bounds__(kMostThreads)
    split_systems(typename C::Args a, Rows rows, int width, int runs) {
  using T = typename C::T;
  using Values = std::conditional_t<kInRegisters, T[kRows], SharedColumn<T>>;
  auto shared = dynamic_shared<T>();
  const int threads = int(blockDim.x), t = int(threadIdx.x), run = t / width;
  const std::int64_t system = std::int64_t(blockIdx.x) * width + t % width;
  const std::int64_t first = std::int64_t(run) * kRows;
  const bool real = kDense || system < a.count;
  const int rest =
      real ? int(min(a.n - first, std::int64_t(kRows + 1))) : 0;  // of the system's rows, from `first` on
  const std::int64_t m = real ? a.start(a.matrix, system) + first * a.matrix.row : 0;
  const std::int64_t v = kDense ? m : real ? a.start(a.vector, system) + first * a.vector.row : 0;
  Chunk<T, kRows, Values> chunk;
  if constexpr (!kInRegisters) {
    chunk.upper = {6 * threads + t, threads};
    chunk.rhs = {(6 + kRows) * threads + t, threads};
  }
  int failed = chunk.template eliminate<kAhead>([&](int i) -> TridiagonalRow<T> {
    const bool inside = kDense || i < rest, has_lower = inside && (i > 0 || run > 0),
               has_upper = (kDense && i + 1 < kRows) || i + 1 < rest;
    if constexpr (kIsStored<Rows>) {
      const std::int64_t at = m + i * a.matrix.row, at_rhs = kDense ? at : v + i * a.vector.row;
      return {has_lower ? a.lower[at] : T(0), inside ? a.diag[at] : T(1), has_upper ? a.upper[at] : T(0),
              inside ? a.rhs[at_rhs] : T(0)};
    } else {
      const TridiagonalRow<T> row = inside ? rows(system, first + i) : TridiagonalRow<T>{0, 1, 0, 0};
      return {has_lower ? row.lower : T(0), row.diag, has_upper ? row.upper : T(0), row.rhs};
    }
  });

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
    if (kDense || i < rest) a.x[v + i * a.vector.row] = chunk.rhs[i];
  }
}

template <class C, int kRows, bool kInRegisters, int kMostThreads, int kAhead, class Rows>
void split_with_rows(const typename C::Args& a, const Rows& rows, Context& ctx, int widest) {
  using T = typename C::T;
  constexpr int kLooseThreads = std::min(kMostThreads, 640);  // asking for edges takes registers
  const int runs = int(ceil_div(a.n, kRows));
  const auto start = [&](auto* kernel, int width) {
    const int threads = width * runs, words = kInRegisters ? 6 : 6 + 2 * kRows;
    launch(ctx, ceil_div(a.count, width), threads, std::size_t(words) * threads * sizeof(T), kernel, a, rows,
           width, runs);
  };
  const int width = std::min(widest, kMostThreads / runs);
  const bool dense = a.n % kRows == 0 && a.count % width == 0 && a.matrix.row == a.vector.row &&
                     a.matrix.system == a.vector.system && a.matrix.block == a.vector.block;
  if (dense)
    start(split_systems<C, kRows, kInRegisters, kMostThreads, kAhead, true, Rows>, width);
  else
    start(split_systems<C, kRows, kInRegisters, kLooseThreads, kAhead, false, Rows>,
          std::min(widest, kLooseThreads / runs));
}

constexpr int kSplitRun = 16, kSplitMostRuns = 512;
constexpr std::int64_t kSplitMostRows = std::int64_t{kSplitRun} * kSplitMostRuns;

/// Solves systems of up to kSplitMostRows rows. Memory is best read 64 bytes or more at a time, so a block has so many
/// systems side by side where its threads suffice. Long runs have c′ and d′ in shared memory; in a block of 1,024 threads
/// each then has registers for 4 rows ahead.
template <class C, class Rows>
void split_over_block(const typename C::Args& a, const Rows& rows, Context& ctx) {
  using T = typename C::T;
  constexpr int kWidth = 64 / sizeof(T);
  // A functor may need more registers.
  constexpr int kMostThreads = sizeof(T) == 4 && kIsStored<Rows> ? 1024 : 512;
  if (a.n <= 128) return split_with_rows<C, 8, true, 512, 8>(a, rows, ctx, 32);
  if constexpr (sizeof(T) == 4) {
    if (a.n <= 256) return split_with_rows<C, kSplitRun, true, 512, kSplitRun>(a, rows, ctx, kWidth);
  }
  split_with_rows<C, kSplitRun, false, kMostThreads, 4>(a, rows, ctx, kWidth);
}

}  // namespace tandem
