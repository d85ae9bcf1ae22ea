#pragma once
// The triangles of tests and tables: those of the families of sparse matrices, and two more, with a diagonal in each row. A
// matrix follows from its family, its rows, the length of a row and its form alone.

#include "lib/harness/sparse_matrices.h"
#include "tandem/sptrsv.h"

namespace tandem {

enum class TriangleFamily : int {
  stencil,       // as in Family
  banded,        // each row needs the one before: as many levels as rows
  rmat,          // few levels, a few rows of which are long; columns in no order, some twice
  dense_row,     // banded, but for a row that needs all before it
  mostly_empty,  // of eight rows seven are a diagonal alone
  random,        // columns anywhere and in any order
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
    sparse_matrices::add_diagonals(
        a, rows,
        family == TriangleFamily::chain ? std::vector<std::int64_t>{-1, 1} : std::vector<std::int64_t>{}, -1);
    return a;
  }
  a = matrix_of(kOf[static_cast<int>(family)], rows, length);
  for (std::int32_t& column : a.columns) column = static_cast<std::int32_t>(column % rows);
  return a;
}

}  // namespace triangular_matrices

/// `both`: the elements of the other triangle are stored, too, and a diagonal of ones has elements.
inline CsrArrays triangle_of(TriangleFamily family, std::int64_t rows, std::int64_t length,
                             TriangularForm form, bool both) {
  const CsrArrays from = triangular_matrices::square(family, rows, length);
  const bool upper = form.triangle == Triangle::upper;
  CsrArrays a{rows, {0}, {}};
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const auto diagonal = static_cast<std::int32_t>(r);
    const auto first = static_cast<std::ptrdiff_t>(a.columns.size());
    bool is_there = form.diagonal == Diagonal::unit && !both;
    for (auto k = static_cast<std::size_t>(from.offsets[at]);
         k < static_cast<std::size_t>(from.offsets[at + 1]); ++k) {
      const std::int32_t j = from.columns[k];
      if (j == diagonal ? form.diagonal == Diagonal::unit && !both : !both && (j < diagonal) == upper)
        continue;
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
