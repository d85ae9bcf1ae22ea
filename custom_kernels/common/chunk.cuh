#pragma once
// A run of kRows neighbouring rows of one system in the registers of a thread: the partition method (Wang 1981). Every
// unknown of the run is expressed by the last one of the run before, `left`, and by the last one of its own, `last`;
// the `last` of all runs form a small tridiagonal system of their own.

#include "custom_kernels/common/kernel.cuh"
#include "custom_kernels/common/thomas.h"

namespace tandem {

/// lower·(unknown before) + unknown + upper·(unknown after) = rhs: a row divided by its pivot.
template <class T>
struct Row {
  T lower, upper, rhs;
};

template <class T, int kRows>
struct Chunk {
  T lower[kRows], diag[kRows], upper[kRows], rhs[kRows];

  /// Down the rows: lower·left + x[i] + upper·x[i+1] = rhs. Returns the first row without a usable pivot, else kRows.
  __device__ int eliminate() {
    int failed = kRows;
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const T pivot = i > 0 ? diag[i] - lower[i] * upper[i - 1] : diag[0];
      if (!usable(pivot) && failed == kRows) failed = i;
      const T r = T(1) / pivot;
      if (i > 0) {
        rhs[i] = (rhs[i] - lower[i] * rhs[i - 1]) * r;
        lower[i] = -lower[i] * lower[i - 1] * r;
      } else {
        rhs[0] *= r;
        lower[0] *= r;
      }
      upper[i] *= r;
    }
    return failed;
  }

  /// lower·left + x[0] + upper·last = rhs.
  __device__ Row<T> first_row() const {
    Row<T> row{0, -1, 0};  // x[kRows − 1] − last = 0
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i)
      row = {lower[i] - upper[i] * row.lower, -upper[i] * row.upper, rhs[i] - upper[i] * row.rhs};
    return row;
  }

  /// The equation of `last`, between `left` and the last of the next chunk, whose first row is given. Not yet divided
  /// by its pivot, which is returned apart.
  __device__ Row<T> last_row(const Row<T>& next_first, T& pivot) const {
    constexpr int i = kRows - 1;
    pivot = T(1) - upper[i] * next_first.lower;
    return {lower[i], -upper[i] * next_first.upper, rhs[i] - upper[i] * next_first.rhs};
  }

  /// Up the rows: rhs becomes the solution.
  __device__ void substitute(T left, T last) {
    rhs[kRows - 1] = last;
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) rhs[i] -= lower[i] * left + upper[i] * rhs[i + 1];
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
