#pragma once
// The sparse matrices of tests and tables. A matrix follows from its family, its rows and the length of a row alone.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lib/core/random_bits.h"
#include "lib/harness/segments.h"

namespace tandem {

enum class Family : int {
  stencil,       // the diagonals on which a point of a 3-D grid has its nearest neighbours, at most 27
  banded,        // neighbours of the diagonal
  rmat,          // a graph whose vertices have neighbours by a power law, some of them twice
  dense_row,     // a row that is full among banded ones
  wide,          // more columns than rows; up to twice the average length, columns in any order
  tall,          // fewer columns; from a quarter of the average, the longer the rarer, to sixteen times it
  mostly_empty,  // of eight rows seven, with runs of hundreds
  empty_ends,    // the first third of the rows and the last
  empty,         // all
  periodic       // rows of one length, element k in column k mod kColumnPeriod
};
inline constexpr std::int64_t kColumnPeriod = 127;
inline constexpr const char* kFamilies[] = {"stencil", "banded",       "rmat",       "dense row", "wide",
                                            "tall",    "mostly empty", "empty ends", "empty",     "periodic"};

struct CsrArrays {
  std::int64_t cols;
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
};

namespace sparse_matrices {

/// Distances from a point to its neighbours, the nearest first, in a grid of side² points a layer.
inline std::vector<std::int64_t> neighbours(std::int64_t side, std::int64_t count) {
  struct Step {
    int steps;
    std::int64_t distance;
  };
  std::vector<Step> all;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x)
        all.push_back({std::abs(x) + std::abs(y) + std::abs(z), (z * side + y) * side + x});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Step& a, const Step& b) { return a.steps < b.steps; });
  std::vector<std::int64_t> distances;
  for (std::size_t i = 0; i < all.size() && static_cast<std::int64_t>(i) < count; ++i)
    distances.push_back(all[i].distance);
  std::sort(distances.begin(), distances.end());
  return distances;
}

/// Row by row: the columns at these distances from the diagonal, as far as they are there.
inline void add_diagonals(CsrArrays& a, std::int64_t rows, const std::vector<std::int64_t>& distances,
                          std::int64_t full_row) {
  for (std::int64_t i = 0; i < rows; ++i) {
    if (i == full_row) {
      for (std::int64_t j = 0; j < a.cols; ++j) a.columns.push_back(static_cast<std::int32_t>(j));
    } else {
      for (const std::int64_t d : distances) {
        if (i + d >= 0 && i + d < a.cols) a.columns.push_back(static_cast<std::int32_t>(i + d));
      }
    }
    a.offsets.push_back(static_cast<std::int64_t>(a.columns.size()));
  }
}

/// Each edge chooses a quadrant of the matrix, a quadrant of that, and so on (Chakrabarti, Zhan, Faloutsos 2004, "R-MAT: A
/// recursive model for graph mining").
inline void add_edges(CsrArrays& a, std::int64_t rows, std::int64_t edges) {
  constexpr std::uint64_t kFirst = 146, kSecond = 195, kThird = 244;  // of 256: 0.57, 0.19, 0.19, 0.05
  const int levels = std::bit_width(static_cast<std::uint64_t>(rows - 1));
  struct Edge {
    std::int64_t row;
    std::int32_t column;
  };
  std::vector<Edge> all;
  a.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (std::int64_t e = 0; e < edges; ++e) {
    std::int64_t row = 0, column = 0;
    std::uint64_t bits = 0;
    for (int level = 0; level < levels; ++level, bits >>= 8) {
      if (level % 8 == 0)
        bits = random_bits(31 + static_cast<std::uint64_t>(level), static_cast<std::uint64_t>(e));
      const std::uint64_t draw = bits & 255;
      row = 2 * row + (draw >= kSecond),
      column = 2 * column + ((draw >= kFirst && draw < kSecond) || draw >= kThird);
    }
    all.push_back({row % rows, static_cast<std::int32_t>(column % rows)});
    ++a.offsets[static_cast<std::size_t>(row % rows) + 1];
  }
  for (std::size_t i = 1; i < a.offsets.size(); ++i) a.offsets[i] += a.offsets[i - 1];
  std::vector<std::int64_t> next(a.offsets.begin(), a.offsets.end() - 1);
  a.columns.resize(all.size());
  for (const Edge& edge : all)
    a.columns[static_cast<std::size_t>(next[static_cast<std::size_t>(edge.row)]++)] = edge.column;
}

}  // namespace sparse_matrices

inline CsrArrays matrix_of(Family family, std::int64_t rows, std::int64_t length) {
  using namespace sparse_matrices;
  CsrArrays a{rows, {0}, {}};
  const auto scattered = [&](Lengths lengths, std::int64_t cols) {
    a.cols = cols;
    a.offsets = offsets_of(lengths, rows, length);
    for (std::int64_t k = 0; k < a.offsets.back(); ++k)
      a.columns.push_back(static_cast<std::int32_t>(random_bits(29, static_cast<std::uint64_t>(k)) %
                                                    static_cast<std::uint64_t>(cols)));
  };
  std::vector<std::int64_t> band;
  for (std::int64_t d = 0; d < length; ++d) band.push_back(d - length / 2);
  switch (family) {
    case Family::stencil:
      add_diagonals(a, rows, neighbours(std::llround(std::cbrt(static_cast<double>(rows))), length), -1);
      break;
    case Family::banded:
      add_diagonals(a, rows, band, -1);
      break;
    case Family::dense_row:
      add_diagonals(a, rows, band, rows / 2);
      break;
    case Family::rmat:
      if (rows > 0) add_edges(a, rows, rows * length);
      break;
    case Family::wide:
      scattered(Lengths::uniform, 2 * rows + 5);
      break;
    case Family::tall:
      scattered(Lengths::power_law, rows / 3 + 1);
      break;
    case Family::mostly_empty:
      scattered(Lengths::mostly_empty, rows + 1);
      break;
    case Family::empty_ends:
      scattered(Lengths::empty_ends, rows + 1);
      break;
    case Family::empty:
      scattered(Lengths::empty, rows + 1);
      break;
    case Family::periodic:
      a.cols = kColumnPeriod;
      a.offsets = offsets_of(Lengths::alike, rows, length);
      for (std::int64_t k = 0; k < a.offsets.back(); ++k)
        a.columns.push_back(static_cast<std::int32_t>(k % kColumnPeriod));
  }
  return a;
}

}  // namespace tandem
