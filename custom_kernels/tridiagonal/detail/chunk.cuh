#pragma once
// A run of kRows neighbouring rows of one system, which a thread holds in registers and shared memory: the partition
// method (Wang 1981). Every unknown of the run is expressed by the last one of the run before, `left`, and by the next;
// the last unknowns of all runs form a small tridiagonal system of their own.

#include <type_traits>

#include "tandem/device/launch.cuh"
#include "custom_kernels/tridiagonal/detail/thomas.h"

namespace tandem {

/// Where a kernel's equations come from: the arrays of its call, or a functor (system, row) → TridiagonalRow<T>.
struct StoredRows {};
template <class Rows>
constexpr bool kIsStored = std::is_same_v<Rows, StoredRows>;

/// lower·(unknown before) + unknown + upper·(unknown after) = rhs: a row divided by its pivot.
template <class T>
struct Row {
  T lower, upper, rhs;
};

/// A thread's numbers in the block's dynamic shared memory, for what finds no place in registers.
template <class T>
struct SharedColumn {
  int first, stride;
  __device__ T& operator[](int i) const {
    auto memory = dynamic_shared<T>();
    return memory[first + i * stride];
  }
};

/// 1 / x; of floats to the last bit but one, in one instruction where a division takes a dozen.
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

/// Values: what holds `upper` and `rhs`, an array or a SharedColumn. A SharedColumn says that registers are short: then
/// pivots are inverted in one instruction. The dozen of a division make the compiler ask for all rows beforehand, which is
/// better where there is room for them.
template <class T, int kRows, class Values = T[kRows]>
struct Chunk {
  T lower[kRows];
  Values upper, rhs;

  /// Down the rows: lower·left + x[i] + upper·x[i+1] = rhs. equation(i) gives row i; kAhead of them are asked for at
  /// once. Returns the first row without a usable pivot, else kRows.
  template <int kAhead, class Equation>
  __device__ int eliminate(const Equation& equation) {
    static_assert(kRows % kAhead == 0);
    int failed = kRows;
    Row<T> before{-1, 0, 0};  // left itself
#pragma unroll
    for (int i0 = 0; i0 < kRows; i0 += kAhead) {
      TridiagonalRow<T> rows[kAhead];
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
    return failed;
  }
  /// The same for rows that are in place already, but for their diagonal.
  template <class Diag>
  __device__ int eliminate(const Diag& diag) {
    return eliminate<1>([&](int i) -> TridiagonalRow<T> { return {lower[i], diag[i], upper[i], rhs[i]}; });
  }

  /// lower·left + x[0] + upper·last = rhs.
  __device__ Row<T> first_row() const {
    Row<T> row{0, -1, 0};  // x[kRows − 1] − last = 0
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) {
      const T u = upper[i];
      row = {lower[i] - u * row.lower, -u * row.upper, rhs[i] - u * row.rhs};
    }
    return row;
  }

  /// The equation of `last`, between `left` and the last of the next chunk, whose first row is given. Not yet divided
  /// by its pivot, which is returned apart.
  __device__ Row<T> last_row(const Row<T>& next_first, T& pivot) const {
    constexpr int i = kRows - 1;
    const T u = upper[i];
    pivot = T(1) - u * next_first.lower;
    return {lower[i], -u * next_first.upper, rhs[i] - u * next_first.rhs};
  }

  /// Up the rows: rhs becomes the solution.
  __device__ void substitute(T left, T last) {
    rhs[kRows - 1] = last;
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) {
      last = rhs[i] - lower[i] * left - upper[i] * last;
      rhs[i] = last;
    }
  }
};

/// One step of parallel cyclic reduction: drops the neighbours at a distance. Returns the pivot, undivided.
template <class T>
__device__ T reduce_row(Row<T>& row, const Row<T>& before, const Row<T>& after) {
  const T pivot = T(1) - row.lower * before.upper - row.upper * after.lower;
  row = {-row.lower * before.lower, -row.upper * after.upper,
         row.rhs - row.lower * before.rhs - row.upper * after.rhs};
  return pivot;
}

/// Divides a row by its pivot; false where that cannot be done.
template <class T>
__device__ bool divide(Row<T>& row, T pivot) {
  const T r = T(1) / pivot;
  row = {row.lower * r, row.upper * r, row.rhs * r};
  return usable(pivot);
}

}  // namespace tandem
