#pragma once
// A run of kRows neighbouring rows of one system, which a thread holds in registers and shared memory: the partition
// method (Wang 1981). Every unknown of the run is expressed by the last one of the run before, `left`, and by the next;
// the last unknowns of all runs form a small tridiagonal system of their own.

#include <type_traits>

#include "custom_kernels/common/async_copies.cuh"
#include "custom_kernels/common/thomas.h"

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

/// to = there ? *from : otherwise. Where `to` is in shared memory, what is there arrives with the copies.
template <bool kInRegisters, class Copies, class T>
__device__ void bring(Copies& copies, T& to, bool there, const T* from, T otherwise) {
  if (kInRegisters || !there)
    to = there ? *from : otherwise;
  else
    copies.copy(to, from);
}

/// Values: what holds `upper` and `rhs`, an array or a SharedColumn. `diag` is not needed once the rows are eliminated.
template <class T, int kRows, class Values = T[kRows], class Diag = Values>
struct Chunk {
  T lower[kRows];
  Diag diag;
  Values upper, rhs;

  /// Down the rows: lower·left + x[i] + upper·x[i+1] = rhs. Returns the first row without a usable pivot, else kRows.
  __device__ int eliminate() {
    int failed = kRows;
    Row<T> before{-1, 0, 0};  // left itself
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const T pivot = diag[i] - lower[i] * before.upper;
      if (!usable(pivot) && failed == kRows) failed = i;
      const T r = T(1) / pivot;
      before = {-lower[i] * before.lower * r, upper[i] * r, (rhs[i] - lower[i] * before.rhs) * r};
      lower[i] = before.lower;
      upper[i] = before.upper;
      rhs[i] = before.rhs;
    }
    return failed;
  }

  /// The same for rows that load(i) gives, a few of them asked for ahead.
  template <int kAhead, class Load>
  __device__ int eliminate(Load load) {
    int failed = kRows;
    Row<T> before{-1, 0, 0};  // left itself
#pragma unroll
    for (int i0 = 0; i0 < kRows; i0 += kAhead) {
      TridiagonalRow<T> rows[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) rows[k] = load(i0 + k);
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        const int i = i0 + k;
        const T pivot = rows[k].diag - rows[k].lower * before.upper;
        if (!usable(pivot) && failed == kRows) failed = i;
        const T r = T(1) / pivot;
        before = {-rows[k].lower * before.lower * r, rows[k].upper * r, (rows[k].rhs - rows[k].lower * before.rhs) * r};
        lower[i] = before.lower;
        upper[i] = before.upper;
        rhs[i] = before.rhs;
      }
    }
    return failed;
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
