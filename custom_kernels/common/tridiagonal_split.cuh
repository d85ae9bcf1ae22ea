#pragma once
// Systems in the registers of a block, a few neighbouring ones at a time, a run of rows per thread: the kernel behind
// tridiagonal/custom/split, and behind tandem::tridiagonal for coefficients that a functor computes (lib/tandem.cuh).

#include <algorithm>
#include <bit>

#include "custom_kernels/common/chunk.cuh"

namespace tandem {

constexpr int kSplitThreads = 256;      // of a block, so that two or more take turns on a multiprocessor
constexpr int kSplitMostThreads = 512;  // of a block for systems of very many runs
template <class T>
constexpr int kLongRun = 128 / sizeof(T);  // rows, of which shared memory holds three numbers each

/// On a multiprocessor, at the least, where that costs no spills: a functor may need all registers.
template <class Rows, bool kSmall>
constexpr int kSplitBlocks = kSmall&& kIsStored<Rows> ? 3 : 1;

/// Thread t has run t / width of system t % width of the block's; threads = width · runs. kDense: no run and no block is
/// cut short, and all arrays have one layout.
template <class C, int kRows, bool kInRegisters, bool kDense, class Rows>
__global__ void __launch_bounds__(
    kRows == kLongRun<typename C::T> ? kSplitMostThreads : kSplitThreads,
    kSplitBlocks<Rows, (!kInRegisters && kDense && kRows < kLongRun<typename C::T>)>)
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
    chunk.diag = {6 * threads + t, threads};
    chunk.upper = {(6 + kRows) * threads + t, threads};
    chunk.rhs = {(6 + 2 * kRows) * threads + t, threads};
  }
  AsyncCopies<T, 3 * kRows> copies;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const bool inside = kDense || i < rest, has_lower = inside && (i > 0 || run > 0),
               has_upper = (kDense && i + 1 < kRows) || i + 1 < rest;
    if constexpr (kIsStored<Rows>) {
      const std::int64_t at = m + i * a.matrix.row, at_rhs = kDense ? at : v + i * a.vector.row;
      chunk.lower[i] = has_lower ? a.lower[at] : T(0);
      bring<kInRegisters>(copies, chunk.diag[i], inside, a.diag + at, T(1));
      bring<kInRegisters>(copies, chunk.upper[i], has_upper, a.upper + at, T(0));
      bring<kInRegisters>(copies, chunk.rhs[i], inside, a.rhs + at_rhs, T(0));
    } else {
      const TridiagonalRow<T> row = inside ? rows(system, first + i) : TridiagonalRow<T>{0, 1, 0, 0};
      chunk.lower[i] = has_lower ? row.lower : T(0);
      chunk.diag[i] = row.diag;
      chunk.upper[i] = has_upper ? row.upper : T(0);
      chunk.rhs[i] = row.rhs;
    }
  }
  if constexpr (!kInRegisters) copies.wait();
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
    if (kDense || i < rest) a.x[v + i * a.vector.row] = chunk.rhs[i];
  }
}

template <class C, int kRows, bool kInRegisters, class Rows>
void split_with_rows(const typename C::Args& a, const Rows& rows, Context& ctx, int widest) {
  using T = typename C::T;
  const int runs = int(ceil_div(a.n, kRows));
  const int most = runs <= 32 ? kSplitThreads : kSplitMostThreads;
  const int width = std::min(widest, int(std::bit_floor(unsigned(most / runs)))), threads = width * runs;
  const bool dense = a.n % kRows == 0 && a.count % width == 0 && a.matrix.row == a.vector.row &&
                     a.matrix.system == a.vector.system && a.matrix.block == a.vector.block;
  auto* kernel = dense ? split_systems<C, kRows, kInRegisters, true, Rows>
                       : split_systems<C, kRows, kInRegisters, false, Rows>;
  const std::size_t words = kInRegisters ? 6 : 6 + 3 * kRows;
  launch(ctx, ceil_div(a.count, width), threads, words * threads * sizeof(T), kernel, a, rows, width, runs);
}

template <class T>
constexpr std::int64_t kSplitMostRows = kLongRun<T>* kSplitMostThreads;

/// Solves systems of up to kSplitMostRows rows. Memory is best read 64 bytes or more at a time, so a block has so many
/// systems side by side where its threads suffice; then longer systems need longer runs.
template <class C, class Rows>
void split_over_block(const typename C::Args& a, const Rows& rows, Context& ctx) {
  using T = typename C::T;
  constexpr int kWidth = 64 / sizeof(T);
  if (a.n <= 128)
    split_with_rows<C, 8, true>(a, rows, ctx, 32);
  else if (a.n <= 256)
    split_with_rows<C, kWidth, false>(a, rows, ctx, kWidth);
  else
    split_with_rows<C, kLongRun<T>, false>(a, rows, ctx, kWidth);
}

}  // namespace tandem
