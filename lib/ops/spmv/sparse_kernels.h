#pragma once
// What calls around sparse matrices need besides operations: loops whose turns are apart from each other, as threads of the CPU and
// as kernels. A table for each place; that of the kernels is filled when their file is loaded.

#include <cstdint>

#include "tandem/context.h"
#include "tandem/export.h"
#include "tandem/sparse.h"

namespace tandem {

/// counts[i] = how many of the `size` ascending numbers in `sorted` are below first + i.
template <class Number, class Count>
struct CountBelow {
  const Number* sorted;
  std::int64_t size, first;
  Count* counts;

  TANDEM_HD void operator()(std::int64_t i) const {
    std::int64_t low = 0, high = size;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (sorted[middle] < first + i)
        low = middle + 1;
      else
        high = middle;
    }
    counts[i] = static_cast<Count>(low);
  }
};
using RowOffsets = CountBelow<std::int32_t, std::int64_t>;  // of sorted row numbers
using RowNumbers = CountBelow<std::int64_t, std::int32_t>;  // of elements, from offsets

/// y[numbers[k]] += alpha · values[k].
template <class T>
struct AddScaled {
  T alpha;
  IndexNumbers numbers;
  const T* values;
  T* y;

  TANDEM_HD void operator()(std::int64_t k) const { y[numbers[k]] += alpha * values[k]; }
};

/// Each calls its loop for 0 … n − 1, n above 0, without waiting for it.
struct SparseKernels {
  void (*row_offsets)(Context& ctx, std::int64_t n, const RowOffsets& loop) = nullptr;
  void (*row_numbers)(Context& ctx, std::int64_t n, const RowNumbers& loop) = nullptr;
  void (*add_f32)(Context& ctx, std::int64_t n, const AddScaled<float>& loop) = nullptr;
  void (*add_f64)(Context& ctx, std::int64_t n, const AddScaled<double>& loop) = nullptr;
};

/// To be filled at `place`; simt: kernels on the executor.
TANDEM_API SparseKernels& sparse_kernels(Place place);

}  // namespace tandem
