#pragma once
// Grids of one to three axes for tests of transforms: shapes, layouts, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lib/harness/fourier.h"
#include "lib/harness/operation.h"
#include "lib/ops/fft_nd/contract.h"

namespace tandem {

/// How the numbers of grids lie.
enum class Lay {
  row_major,    // contiguous
  padded,       // with a gap behind each axis and each grid
  turned,       // column-major: the first axis has no stride
  interleaved,  // grid by grid: number i of every grid, then number i + 1
  spread,       // turned, with gaps, between every two numbers, too
  far,          // padded by more than any tile is wide
};
inline constexpr const char* kLays[] = {"row-major", "padded", "turned", "interleaved", "spread", "far"};

inline GridLayout layout(Lay lay, const OfAxes& extents, std::int64_t batch) {
  GridLayout made{};
  const bool turned = lay == Lay::turned || lay == Lay::spread, inside = lay == Lay::interleaved;
  const std::int64_t gap = lay == Lay::padded ? 3 : lay == Lay::spread ? 1 : lay == Lay::far ? 67 : 0;
  std::int64_t stride = inside ? std::max<std::int64_t>(batch, 1) : lay == Lay::spread ? 2 : 1;
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(turned ? i : 2 - i);
    made.strides[axis] = stride;
    stride = stride * extents[axis] + gap;
  }
  made.distance = inside ? 1 : stride;
  return made;
}

/// Of trials.
inline std::string names_of(Lay in, Lay out) {
  return fmt::format(" {} to {}", kLays[static_cast<int>(in)], kLays[static_cast<int>(out)]);
}

/// Elements from the first to the last; none of empty grids.
inline std::int64_t size_of_grids(const GridLayout& l, const OfAxes& extents, std::int64_t batch) {
  return FftNd::points(extents) == 0 || batch == 0 ? 0 : FftNd::storage_size(l, extents, batch);
}

/// Calls f(number, element) for all numbers of a grid, in row-major order.
template <class F>
void for_numbers(const GridLayout& l, const OfAxes& extents, std::int64_t grid, const F& f) {
  std::size_t number = 0;
  for (std::int64_t x = 0; x < extents[0]; ++x) {
    for (std::int64_t y = 0; y < extents[1]; ++y) {
      for (std::int64_t z = 0; z < extents[2]; ++z) {
        const std::int64_t element =
            grid * l.distance + x * l.strides[0] + y * l.strides[1] + z * l.strides[2];
        f(number++, static_cast<std::size_t>(element));
      }
    }
  }
}

/// Transforms the grid x of numbers in row-major order along each axis.
template <class Wide>
void transform_grid(std::vector<Complex<Wide>>& x, const OfAxes& extents) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t n = extents[axis], stride = FftNd::contiguous(extents).strides[axis];
    const Reference<Wide> reference(n);
    std::vector<Complex<Wide>> line(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < FftNd::points(extents) / n; ++i) {
      Complex<Wide>* const first = &x[static_cast<std::size_t>(i / stride * stride * n + i % stride)];
      for (std::int64_t j = 0; j < n; ++j) line[static_cast<std::size_t>(j)] = first[j * stride];
      line = reference(line);
      for (std::int64_t j = 0; j < n; ++j) first[j * stride] = line[static_cast<std::size_t>(j)];
    }
  }
}

/// The greatest power of two whose power is at most n.
inline std::int64_t edge_of(std::int64_t n, int power) {
  const auto fits = [&](std::int64_t edge) {
    std::int64_t left = n;
    for (int i = 0; i < power; ++i) left /= edge;
    return left >= 1;
  };
  std::int64_t edge = 1;
  while (fits(2 * edge)) edge *= 2;
  return edge;
}
/// Grids of n numbers, or a few less: a line, a square, a cube, or twice as long along an axis.
inline OfAxes line_of(std::int64_t n) { return {1, 1, n}; }
inline OfAxes square_of(std::int64_t n) {
  const std::int64_t edge = edge_of(n, 2);
  return {1, edge, n / edge};
}
inline OfAxes cube_of(std::int64_t n) {
  const std::int64_t edge = edge_of(n, 3);
  const OfAxes side = square_of(n / edge);
  return {edge, side[1], side[2]};
}

/// Grids of tests: one axis of every kind; two and three of the same and of different kinds, equal and not, and axes of one number
/// between.
inline std::vector<OfAxes> test_grids(Coverage coverage) {
  if (coverage == Coverage::brief) return {{1, 1, 17}, {1, 8, 16}, {2, 3, 4}, {8, 8, 8}};
  std::vector<OfAxes> grids{
      {1, 1, 1},   {1, 1, 2},   {1, 1, 7},   {1, 1, 11},  {1, 1, 16}, {1, 1, 17}, {1, 1, 64},  {1, 1, 97},
      {1, 1, 120}, {1, 1, 128}, {1, 1, 256}, {1, 1, 500}, {7, 1, 1},  {1, 32, 1}, {17, 1, 1},  {1, 2, 2},
      {1, 2, 3},   {1, 3, 2},   {1, 5, 8},   {1, 8, 8},   {1, 8, 16}, {1, 16, 8}, {4, 1, 9},   {6, 10, 1},
      {1, 12, 18}, {1, 16, 32}, {1, 64, 16}, {1, 17, 19}, {1, 8, 9},  {1, 8, 11}, {1, 17, 64}, {2, 2, 2},
      {2, 3, 4},   {4, 3, 2},   {3, 5, 7},   {8, 8, 8},   {16, 8, 8}, {8, 16, 8}, {5, 17, 3},  {2, 64, 3},
      {8, 1, 8},   {9, 10, 12}, {1, 32, 33}};
  if (coverage == Coverage::full) {
    grids.insert(
        grids.end(),
        {{1, 1, 4096}, {1, 1, 8192}, {1, 1, 5000}, {1, 128, 256}, {1, 243, 100}, {32, 32, 32}, {16, 30, 21}});
  }
  return grids;
}
/// Grids that audits and tables take for one of these: a line, a square and a cube of about n numbers, of powers of two and of
/// factors to 7.
inline std::vector<OfAxes> usual_grids(std::int64_t n) {
  std::vector<OfAxes> grids;
  for (const OfAxes& powers : {line_of(n), square_of(n), cube_of(n)}) {
    for (const std::size_t kind : {0, 1}) {
      OfAxes grid = powers;
      for (std::int64_t& extent : grid) {
        if (extent > 1) extent = length_up_to(extent, kind);
      }
      if (std::ranges::count(grid, 0) > 0 || (kind == 1 && grid == powers)) continue;
      grids.push_back(grid);
    }
  }
  return grids;
}
/// One to three axes of at most `numbers` together.
inline OfAxes draw_grid(Draws& draws, std::int64_t numbers) {
  OfAxes extents{1, 1, 1};
  const std::int64_t axes = 1 + draws.below(3);
  for (std::int64_t axis = 0; axis < axes; ++axis) {
    std::int64_t& extent = extents[static_cast<std::size_t>(2 - axis)];
    extent = draw_length(draws, numbers);
    numbers /= extent;
  }
  return extents;
}

}  // namespace tandem
