#pragma once
// The partition method (Wang 1981) for tridiagonal systems: each thread eliminates a chunk of kRows
// neighbouring rows, until an unknown of the chunk depends on `left`, the last unknown of the chunk before,
// and on the unknown behind it. The last unknowns of all chunks form a tridiagonal system with one row per
// thread, which a warp or a block solves by parallel cyclic reduction (Hockney, Jesshope 1981). Each thread
// then substitutes. A function says who calls it: a thread, a warp or a block.

#include <cmath>
#include <type_traits>

#include "tandem/device/pivot.h"
#include "tandem/device/warp.cuh"

namespace tandem {

/// A row divided by its pivot: lower·(unknown before) + unknown + upper·(unknown after) = rhs.
template <class T>
struct UnitRow {
  T lower, upper, rhs;
};

/// Called by a thread. 1 / x, for floats to within one unit in the last place, by one instruction instead of
/// the dozen of a division.
__device__ inline float reciprocal(float x) {
#ifdef TANDEM_SIMT
  return 1 / x;
#else
  float r;
  asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#endif
}
__device__ inline double reciprocal(double x) { return 1 / x; }

/// Elements first, first + stride, … of the block's dynamic shared memory: a thread's array where registers
/// are short.
template <class T>
struct SharedSlice {
  int first, stride;
  __device__ T& operator[](int i) const {
    auto memory = dynamic_shared<T>();
    return memory[first + i * stride];
  }
};

/// A thread's chunk: kRows neighbouring rows of one system. Values holds `upper` and `rhs`: T[kRows], or
/// SharedSlice<T> where registers are short. Pivots are then inverted by reciprocal(): while a division runs,
/// the compiler would keep the next rows in registers.
template <class T, int kRows, class Values = T[kRows]>
struct Chunk {
  T lower[kRows];
  Values upper, rhs;
  int failed = kRows;  // the first row without a usable pivot

  /// Called by a thread. Down the rows: lower[i]·left + x[i] + upper[i]·x[i+1] = rhs[i]. equation(i) returns
  /// row i as {lower, diag, upper, rhs}; kAhead rows are loaded before the first is used.
  template <int kAhead, class Equation>
  __device__ void eliminate(const Equation& equation) {
    static_assert(kRows % kAhead == 0);
    UnitRow<T> before{-1, 0, 0};  // x − left = 0
#pragma unroll
    for (int i0 = 0; i0 < kRows; i0 += kAhead) {
      std::invoke_result_t<const Equation&, int> rows[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) rows[k] = equation(i0 + k);
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        const T pivot = rows[k].diag - rows[k].lower * before.upper;
        if (!usable(pivot) && failed == kRows) failed = i0 + k;
        const T r = std::is_array_v<Values> ? T(1) / pivot : reciprocal(pivot);
        before = {-rows[k].lower * before.lower * r, rows[k].upper * r,
                  (rows[k].rhs - rows[k].lower * before.rhs) * r};
        lower[i0 + k] = before.lower;
        upper[i0 + k] = before.upper;
        rhs[i0 + k] = before.rhs;
      }
    }
  }
  /// The same where lower, upper and rhs hold the rows already, and `diag`, indexed alike, their diagonal.
  template <class Diag>
  __device__ void eliminate(const Diag& diag) {
    struct Equation {
      T lower, diag, upper, rhs;
    };
    eliminate<1>([&](int i) -> Equation { return {lower[i], diag[i], upper[i], rhs[i]}; });
  }

  /// Called by a thread, behind eliminate: lower·left + x[0] + upper·x[kRows − 1] = rhs.
  __device__ UnitRow<T> first_row() const {
    UnitRow<T> row{0, -1, 0};  // x[kRows − 1] − x[kRows − 1] = 0
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) {
      const T u = upper[i];
      row = {lower[i] - u * row.lower, -u * row.upper, rhs[i] - u * row.rhs};
    }
    return row;
  }

  /// Called by a thread: the row of x[kRows − 1] between `left` and the last unknown of the next chunk, whose
  /// first_row() is given. Not yet divided by its pivot.
  __device__ UnitRow<T> last_row(const UnitRow<T>& next_first, T& pivot) const {
    constexpr int i = kRows - 1;
    const T u = upper[i];
    pivot = T(1) - u * next_first.lower;
    return {lower[i], -u * next_first.upper, rhs[i] - u * next_first.rhs};
  }

  /// Called by a thread. Up the rows, from the unknowns before the chunk and at its end: rhs becomes the
  /// solution.
  __device__ void substitute(T left, T last) {
    rhs[kRows - 1] = last;
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) {
      last = rhs[i] - lower[i] * left - upper[i] * last;
      rhs[i] = last;
    }
  }
};

/// Called by a thread. One step of parallel cyclic reduction: eliminates both neighbours of `row`, which is
/// then related to their neighbours, at twice the distance. Returns the pivot, by which row is not yet
/// divided.
template <class T>
__device__ T reduce_row(UnitRow<T>& row, const UnitRow<T>& before, const UnitRow<T>& after) {
  const T pivot = T(1) - row.lower * before.upper - row.upper * after.lower;
  row = {-row.lower * before.lower, -row.upper * after.upper,
         row.rhs - row.lower * before.rhs - row.upper * after.rhs};
  return pivot;
}

/// Called by a thread. Divides a row by its pivot; false where the pivot is not usable.
template <class T>
__device__ bool divide(UnitRow<T>& row, T pivot) {
  const T r = T(1) / pivot;
  row = {row.lower * r, row.upper * r, row.rhs * r};
  return usable(pivot);
}

/// Called by a thread. One step of Gaussian elimination with partial pivoting: of rows[kTop …] that with the largest coefficient in column kTop comes to the top, is divided
/// by it, and eliminates it from the others. False where it is not usable.
template <int kTop, class T, int kRows, int kColumns>
__device__ bool eliminate(T (&rows)[kRows][kColumns]) {
#pragma unroll
  for (int i = kTop + 1; i < kRows; ++i) {
    const bool exchange = fabs(rows[i][kTop]) > fabs(rows[kTop][kTop]);
#pragma unroll
    for (int j = kTop; j < kColumns; ++j) {
      const T upper = rows[kTop][j], lower = rows[i][j];
      rows[kTop][j] = exchange ? lower : upper;
      rows[i][j] = exchange ? upper : lower;
    }
  }
  const T pivot = rows[kTop][kTop], r = T(1) / pivot;
#pragma unroll
  for (int j = kTop + 1; j < kColumns; ++j) {
    rows[kTop][j] *= r;
#pragma unroll
    for (int i = kTop + 1; i < kRows; ++i) rows[i][j] -= rows[i][kTop] * rows[kTop][j];
  }
  return usable(pivot);
}

/// Called by a warp: the row of lane `lane`.
template <class T>
__device__ UnitRow<T> shuffle_row(const UnitRow<T>& row, int lane) {
  return {shuffle(row.lower, lane), shuffle(row.upper, lane), shuffle(row.rhs, lane)};
}

/// Called by a warp whose lanes have eliminated their chunks. Each `lanes` neighbouring lanes, a power of
/// two, hold one system; lane l has chunk l % lanes. Solves for the last unknowns by shuffles, then for the
/// whole chunk: its rhs becomes the solution.
template <class T, int kRows, class Values>
__device__ void warp_solve_chunks(Chunk<T, kRows, Values>& chunk, int lanes) {
  const int lane = threadIdx.x % kWarp, index = lane & (lanes - 1);
  UnitRow<T> next = shuffle_row(chunk.first_row(), (lane + 1) % kWarp);
  if (index + 1 == lanes) next = {0, 0, 0};
  T pivot;
  UnitRow<T> row = chunk.last_row(next, pivot);
  bool all_usable = divide(row, pivot);
  for (int distance = 1; distance < lanes; distance *= 2) {
    UnitRow<T> before = shuffle_row(row, (lane - distance) & (kWarp - 1));
    UnitRow<T> after = shuffle_row(row, (lane + distance) % kWarp);
    if (index < distance) before = {0, 0, 0};
    if (index + distance >= lanes) after = {0, 0, 0};
    all_usable &= divide(row, reduce_row(row, before, after));
  }
  const T left = shuffle(row.rhs, (lane + kWarp - 1) % kWarp);
  chunk.substitute(index > 0 ? left : T(0), row.rhs);
  if (!all_usable && chunk.failed == kRows) chunk.failed = kRows - 1;
}

/// Called by a block of width · chunks threads that have eliminated their chunks: thread t has chunk t /
/// width of the block's system t % width. Solves as warp_solve_chunks does, by way of the first
/// kBlockSolveWords · blockDim.x elements of dynamic shared memory.
constexpr int kBlockSolveWords = 6;
template <class T, int kRows, class Values>
__device__ void block_solve_chunks(Chunk<T, kRows, Values>& chunk, int width, int chunks) {
  auto shared = dynamic_shared<T>();
  const int threads = int(blockDim.x), t = int(threadIdx.x), index = t / width;
  int half = 0;  // rows are put into two halves in turn, so that one barrier per step will do
  const auto put = [&](const UnitRow<T>& row) {
    shared[half + t] = row.lower;
    shared[half + threads + t] = row.upper;
    shared[half + 2 * threads + t] = row.rhs;
    __syncthreads();
  };
  const auto get = [&](int distance) -> UnitRow<T> {  // in chunks
    if (index + distance < 0 || index + distance >= chunks) return {0, 0, 0};
    const int at = half + t + distance * width;
    return {shared[at], shared[at + threads], shared[at + 2 * threads]};
  };
  put(chunk.first_row());
  T pivot;
  UnitRow<T> row = chunk.last_row(get(1), pivot);
  bool all_usable = divide(row, pivot);
  for (int distance = 1; distance < chunks; distance *= 2) {
    half = 3 * threads - half;
    put(row);
    all_usable &= divide(row, reduce_row(row, get(-distance), get(distance)));
  }
  half = 3 * threads - half;
  put(row);
  chunk.substitute(get(-1).rhs, row.rhs);
  if (!all_usable && chunk.failed == kRows) chunk.failed = kRows - 1;
}

}  // namespace tandem
