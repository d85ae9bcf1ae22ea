#pragma once
// The sparse matrices of tests and tables. A matrix follows from its family, its rows and the length of a row alone.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
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

constexpr std::uint64_t kFirst = 146, kSecond = 195, kThird = 244;  // of 256: 0.57, 0.19, 0.19, 0.05
inline int levels_of(std::int64_t rows) { return std::bit_width(static_cast<std::uint64_t>(rows - 1)); }

/// Each edge chooses a quadrant of the matrix, a quadrant of that, and so on (Chakrabarti, Zhan, Faloutsos 2004, "R-MAT: A
/// recursive model for graph mining").
inline void add_edges(CsrArrays& a, std::int64_t rows, std::int64_t edges) {
  const int levels = levels_of(rows);
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

inline std::int64_t cols_of(Family family, std::int64_t rows) {
  switch (family) {
    case Family::wide:
      return 2 * rows + 5;
    case Family::tall:
      return rows / 3 + 1;
    case Family::mostly_empty:
    case Family::empty_ends:
    case Family::empty:
      return rows + 1;
    case Family::periodic:
      return kColumnPeriod;
    default:
      return rows;
  }
}

inline bool has_diagonals(Family family) {
  return family == Family::stencil || family == Family::banded || family == Family::dense_row;
}
inline std::vector<std::int64_t> distances(Family family, std::int64_t rows, std::int64_t length) {
  if (family == Family::stencil)
    return neighbours(std::llround(std::cbrt(static_cast<double>(rows))), length);
  std::vector<std::int64_t> band(static_cast<std::size_t>(length));
  std::iota(band.begin(), band.end(), -(length / 2));
  return band;
}

/// The lengths of rows whose elements stand anywhere.
inline bool has_lengths(Family family) { return !has_diagonals(family) && family != Family::rmat; }
inline Lengths lengths_of(Family family) {
  switch (family) {
    case Family::wide:
      return Lengths::uniform;
    case Family::tall:
      return Lengths::power_law;
    case Family::mostly_empty:
      return Lengths::mostly_empty;
    case Family::empty_ends:
      return Lengths::empty_ends;
    case Family::empty:
      return Lengths::empty;
    default:
      return Lengths::alike;
  }
}

}  // namespace sparse_matrices

inline CsrArrays matrix_of(Family family, std::int64_t rows, std::int64_t length) {
  using namespace sparse_matrices;
  CsrArrays a{cols_of(family, rows), {0}, {}};
  if (has_diagonals(family)) {
    add_diagonals(a, rows, distances(family, rows, length), family == Family::dense_row ? rows / 2 : -1);
  } else if (family == Family::rmat) {
    if (rows > 0) add_edges(a, rows, rows * length);
  } else {
    a.offsets = offsets_of(lengths_of(family), rows, length);
    const auto cols = static_cast<std::uint64_t>(a.cols);
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(a.offsets.back()); ++k)
      a.columns.push_back(
          static_cast<std::int32_t>((family == Family::periodic ? k : random_bits(29, k)) % cols));
  }
  return a;
}

/// Whether matrices of rows of about this length are timed. Whoever looks for shapes among many would wait for larger ones, which take
/// minutes to make, also where he leaves them out.
inline bool is_measured(std::int64_t rows, std::int64_t length) {
  constexpr std::int64_t kMost = 1 << 26;  // elements
  return rows <= kMost / std::max<std::int64_t>(1, length);
}

/// What a choice is to serve: the usual first, then what is hard for some paths, which may take seconds for a long row among many.
inline std::vector<Family> usual_and_hard_families(std::int64_t rows, std::int64_t length) {
  constexpr std::int64_t kMostHard = 1 << 22;  // elements
  if (length > rows / 4) return {Family::periodic, Family::wide, Family::tall, Family::mostly_empty};
  if (rows > kMostHard / length) return {Family::stencil, Family::banded, Family::rmat};
  return {Family::stencil,   Family::banded,       Family::rmat,
          Family::dense_row, Family::mostly_empty, Family::tall};
}

struct MatrixSize {
  std::int64_t cols, elements;
  std::int64_t longest;  // of a row
};
/// Of what matrix_of() would make: exact, but for the longest row of a large graph.
inline MatrixSize matrix_size(Family family, std::int64_t rows, std::int64_t length) {
  using namespace sparse_matrices;
  constexpr std::int64_t kSmall = 1 << 12;
  MatrixSize size{cols_of(family, rows), 0, 0};
  if (family == Family::rmat && rows > kSmall / std::max<std::int64_t>(1, length)) {
    // The first row: the upper half is drawn at every level.
    size.elements = rows * length;
    const double first = std::pow(static_cast<double>(kSecond) / 256, levels_of(rows));
    size.longest = std::max(length, std::int64_t{std::llround(static_cast<double>(size.elements) * first)});
  } else if (family == Family::stencil && rows > kSmall) {
    for (const std::int64_t d : distances(family, rows, length)) {
      size.elements += std::max<std::int64_t>(0, rows - std::abs(d));
      ++size.longest;
    }
  } else if (has_diagonals(family) && family != Family::stencil && rows > 0) {
    // Diagonal d has rows − |d| elements.
    const auto sum = [&](std::int64_t first, std::int64_t count) {
      return count * rows - count * (count - 1) / 2 - count * first;
    };
    const std::int64_t before = std::min(length / 2, rows - 1), after = std::min(length - length / 2, rows);
    size.elements = sum(1, before) + sum(0, after);
    size.longest = std::min(length, rows);
    if (family == Family::dense_row) {
      const std::int64_t full = rows / 2;
      size.elements += rows - std::min(after, rows - full) - std::min(before, full);
      size.longest = rows;
    }
  } else {
    const SegmentSizes sizes = has_lengths(family) ? sizes_of(lengths_of(family), rows, length)
                                                   : sizes_of(matrix_of(family, rows, length).offsets);
    size.elements = sizes.elements;
    size.longest = sizes.longest;
  }
  return size;
}

}  // namespace tandem
