#pragma once
// What the tests of transpose and gemm share: matrices of small numbers, and where their elements are.

#include <array>
#include <cstdint>
#include <string>
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

/// Makes one matrix of a good call wrong, in every way that a matrix can be by itself: expect(all matrices, what the
/// message must say).
template <std::size_t kCount, class Expect>
void for_each_bad_view(const std::string& operation, const std::array<MatrixView<float>, kCount>& good,
                       const std::array<std::string, kCount>& names, Expect expect) {
  using M = MatrixView<float>;
  for (std::size_t which = 0; which < kCount; ++which) {
    const M& right = good[which];
    const auto with = [&](auto change, const std::vector<std::string>& parts) {
      auto changed = good;
      change(changed[which]);
      expect(changed, parts);
    };
    const std::string name = "'" + names[which] + "'", of = " of " + name + " is ";
    for (const std::int64_t n : {std::int64_t{-1}, INT64_MIN}) {
      with([&](M& m) { m.rows = n; }, {operation + ": rows" + of + std::to_string(n), "at least 0"});
      with([&](M& m) { m.cols = n; }, {operation + ": cols" + of + std::to_string(n), "at least 0"});
    }
    for (const std::int64_t ld : {std::int64_t{0}, std::int64_t{-4}, right.cols - 1, INT64_MIN}) {
      with([&](M& m) { m.ld = ld; }, {operation + ": leading dimension" + of + std::to_string(ld),
                                      "at least " + std::to_string(right.cols), "row"});
    }
    with([&](M& m) { m.layout = Layout::column_major, m.ld = m.rows - 1; },
         {operation + ": leading dimension" + of, "at least " + std::to_string(right.rows), "column"});
    for (const std::int64_t ld : {INT64_MAX, INT64_MAX / 8})
      with([&](M& m) { m.ld = ld; }, {operation + ": " + name + " is ", std::to_string(ld), "overflow 2^63"});
    with([&](M& m) { m.data = nullptr; }, {operation + ": " + name + " is null"});
    for (const int bytes : {1, 2, 3})
      with([&](M& m) { m.data = shifted(m.data, bytes); },
           {operation + ": " + name + " starts at 0x", "not a multiple of its element size 4"});
    for (const int layout : {2, 7, 255})
      with([&](M& m) { m.layout = static_cast<Layout>(layout); },
           {operation + ": layout" + of + std::to_string(layout), "row_major (0) or column_major (1)"});
  }
}

}  // namespace tandem
