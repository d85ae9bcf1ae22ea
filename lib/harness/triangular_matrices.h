#pragma once
// The triangles of tests and tables: those of the families of sparse matrices, and two more, with a diagonal in each row. A
// matrix follows from its family, its rows, the length of a row and its form alone.

#include "lib/harness/sparse_matrices.h"
#include "tandem/sptrsv.h"

namespace tandem {

enum class TriangleFamily : int {
  stencil,       // neighbours of a point in a 3-D grid, at most 27
  banded,        // each row needs the one before: as many levels as rows
  rmat,          // hundreds of levels; a few rows are long; columns in no order, some twice
  dense_row,     // banded, but for a row that needs all before it
  mostly_empty,  // of eight rows seven are a diagonal alone
  random,        // tens of levels; columns anywhere and in any order
  chain,         // one element before the diagonal: as many levels as rows
  diagonal       // one level
};
inline constexpr const char* kTriangleFamilies[] = {"stencil",      "banded", "rmat",  "dense row",
                                                    "mostly empty", "random", "chain", "diagonal"};

namespace triangular_matrices {

/// Rows of a square matrix, of which the triangle is taken.
inline CsrArrays square(TriangleFamily family, std::int64_t rows, std::int64_t length) {
  constexpr Family kOf[] = {Family::stencil,   Family::banded,       Family::rmat,
                            Family::dense_row, Family::mostly_empty, Family::wide};
  CsrArrays a{rows, {0}, {}};
  if (family == TriangleFamily::chain || family == TriangleFamily::diagonal) {
    const std::vector<std::int64_t> beside{-1, 1}, none;
    sparse_matrices::add_diagonals(a, rows, family == TriangleFamily::chain ? beside : none, -1);
    return a;
  }
  a = matrix_of(kOf[static_cast<int>(family)], rows, length);
  for (std::int32_t& column : a.columns) column = static_cast<std::int32_t>(column % rows);
  return a;
}

/// Whether two points of a grid are neighbours. The diagonals of Family::stencil have the end of each line beside the
/// beginning of the next, and so would be as deep as they are long.
inline bool are_neighbours(std::int64_t side, std::int64_t i, std::int64_t j) {
  const auto near = [](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 1; };
  return near(i % side, j % side) && near(i / side % side, j / side % side);
}

}  // namespace triangular_matrices

/// `both`: the elements of the other triangle are stored, too, and a diagonal of ones has elements.
inline CsrArrays triangle_of(TriangleFamily family, std::int64_t rows, std::int64_t length,
                             TriangularForm form, bool both) {
  const CsrArrays from = triangular_matrices::square(family, rows, length);
  const std::int64_t side = std::llround(std::cbrt(static_cast<double>(rows)));
  const bool upper = form.triangle == Triangle::upper, stored = form.diagonal == Diagonal::stored,
             grid = family == TriangleFamily::stencil;
  CsrArrays a{rows, {0}, {}};
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const auto diagonal = static_cast<std::int32_t>(r);
    const auto first = static_cast<std::ptrdiff_t>(a.columns.size());
    bool is_there = !stored && !both;
    for (auto k = static_cast<std::size_t>(from.offsets[at]);
         k < static_cast<std::size_t>(from.offsets[at + 1]); ++k) {
      const std::int32_t j = from.columns[k];
      if (grid && !triangular_matrices::are_neighbours(side, r, j)) continue;
      if (!both && (j == diagonal ? !stored : (j > diagonal) != upper)) continue;
      a.columns.push_back(j);
      is_there |= j == diagonal;
    }
    if (!is_there) {  // where it belongs, if the others ascend
      const auto begin = a.columns.begin() + first;
      a.columns.insert(std::find_if(begin, a.columns.end(), [&](std::int32_t j) { return j > diagonal; }),
                       diagonal);
    }
    a.offsets.push_back(static_cast<std::int64_t>(a.columns.size()));
  }
  return a;
}

}  // namespace tandem
