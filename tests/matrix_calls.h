#pragma once
// What the tests of transpose and gemm share: matrices of small numbers, and where their elements are.

#include <cstdint>
#include <vector>

#include "lib/ops/gemm/contract.h"
#include "tests/support.h"

namespace tandem {

inline constexpr Layout kLayouts[] = {Layout::row_major, Layout::column_major};

template <class T>
T& at(const MatrixView<T>& a, std::int64_t i, std::int64_t j) {
  return strided(a)(i, j);
}

/// A matrix of small numbers with a gap behind each line, in memory of its own.
struct Owned {
  static constexpr float kGap = -77;
  std::vector<float> memory;
  MatrixView<float> view;
  Owned(std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t gap = 0, int seed = 1) {
    const std::int64_t line = layout == Layout::row_major ? cols : rows, lines = rows + cols - line;
    memory.assign(static_cast<std::size_t>(lines * (line + gap)), kGap);
    view = matrix(memory, rows, cols, layout, line + gap);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j)
        at(view, i, j) = static_cast<float>((i * 7 + j * 3 + seed) % 11 - 5);
    }
  }
};

}  // namespace tandem
