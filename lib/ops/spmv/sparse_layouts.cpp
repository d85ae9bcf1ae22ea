#include "tandem/sparse_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/core/host_memory.h"
#include "lib/core/require.h"
#include "lib/ops/spmv/csr_check.h"
#include "lib/ops/spmv/inside.h"

namespace tandem {
namespace detail {
namespace {

constexpr std::int64_t kMost = INT32_MAX;

std::int64_t parts(std::int64_t n, std::int64_t of) { return (n + of - 1) / of; }
auto at(std::int64_t i) { return static_cast<std::size_t>(i); }
std::int64_t count(const auto& list) { return static_cast<std::int64_t>(list.size()); }

void require_from_1(const char* function, const char* what, std::int64_t value) {
  if (value < 1 || value > kMost)
    throw InvalidArgument(fmt::format("{}: {} is {}; it must be from 1 to {}", function, what, value, kMost));
}
void require_size(const char* function, const char* list, std::int64_t got, std::int64_t wanted,
                  const char* of) {
  if (got != wanted)
    throw InvalidArgument(
        fmt::format("{}: size of '{}' is {}; it must be {}, {}", function, list, got, wanted, of));
}

}  // namespace

void require_sizes(const char* function, const BlockPattern& a, std::int64_t offsets, std::int64_t blocks) {
  require_sides(function, a.rows, a.cols);
  require_from_1(function, "block_rows", a.block_rows);
  require_from_1(function, "block_cols", a.block_cols);
  require_size(function, "offsets", offsets, parts(a.rows, a.block_rows) + 1,
               "one more than there are rows of blocks");
  std::int64_t stored;
  if (__builtin_mul_overflow(a.block_rows * a.block_cols, blocks, &stored) || a.values != stored) {
    throw InvalidArgument(fmt::format("{}: size of 'values' is {}; it must be that of {} blocks of {} x {}",
                                      function, a.values, blocks, a.block_rows, a.block_cols));
  }
}
void require_pattern(const char* function, const BlockPattern& a) {
  const std::int64_t blocks = count(a.columns);
  require_sizes(function, a, count(a.offsets), blocks);
  CsrCheck check(function, parts(a.rows, a.block_rows), parts(a.cols, a.block_cols), blocks);
  check.offsets(0, a.offsets);
  check.columns(0, a.columns);
}

void require_sizes(const char* function, const SlicePattern& a, std::int64_t offsets,
                   std::int64_t row_numbers) {
  require_sides(function, a.rows, a.cols);
  require_from_1(function, "slice_rows", a.slice_rows);
  require_size(function, "offsets", offsets, parts(a.rows, a.slice_rows) + 1,
               "one more than there are slices");
  if (row_numbers != 0) require_size(function, "row_numbers", row_numbers, a.rows, "the rows");
}
void require_pattern(const char* function, const SlicePattern& a) {
  require_sizes(function, a, count(a.offsets), count(a.row_numbers));
  const std::int64_t slices = parts(a.rows, a.slice_rows), stored = count(a.columns);
  require_numbers<std::int32_t>(function, "row", 0, a.row_numbers, a.rows);
  std::vector<bool> there(at(a.rows));
  for (std::size_t p = 0; p < a.row_numbers.size(); ++p) {
    auto here = there[at(a.row_numbers[p])];
    if (here)
      throw InvalidArgument(
          fmt::format("{}: row number {} is {}, and so is one before it; they must be distinct", function, p,
                      a.row_numbers[p]));
    here = true;
  }
  CsrCheck(function, slices, a.cols, stored).offsets(0, a.offsets);
  for (std::int64_t s = 0; s < slices; ++s) {
    const std::int64_t begin = a.offsets[at(s)], end = a.offsets[at(s + 1)];
    if ((end - begin) % a.slice_rows != 0) {
      throw InvalidArgument(
          fmt::format("{}: slice {} has {} elements; it must have a multiple of slice_rows, {}", function, s,
                      end - begin, a.slice_rows));
    }
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int32_t column = a.columns[at(k)];
      const bool behind = s * a.slice_rows + (k - begin) % a.slice_rows >= a.rows;
      if (column < -1 || column >= (behind ? 0 : a.cols))
        throw InvalidArgument(
            fmt::format("{}: column number {} is {}; it must be {}", function, k, column,
                        behind ? "-1, behind the last row" : fmt::format("-1 or from 0 to {}", a.cols - 1)));
    }
  }
}

namespace {

void require_blocks(const char* function, const SparseBlocks& a) {
  require_pattern(function,
                  {a.rows, a.cols, a.block_rows, a.block_cols, a.offsets, a.columns, count(a.values)});
}

void require_slices(const char* function, const SparseSlices& a) {
  require_size(function, "values", count(a.values), count(a.columns), "the size of 'columns'");
  require_size(function, "row_numbers", count(a.row_numbers), a.rows, "the rows");
  require_pattern(function, SlicePattern{a.rows, a.cols, a.slice_rows, a.offsets, a.columns, a.row_numbers});
}

void require_vector(const char* function, const SparseVector& x) {
  if (x.size < 0 || x.size > kMost)
    throw InvalidArgument(fmt::format("{}: size is {}; it must be from 0 to {}", function, x.size, kMost));
  require_size(function, "values", count(x.values), count(x.numbers), "the size of 'numbers'");
  require_numbers<std::int32_t>(function, "element", 0, x.numbers, x.size);
}

SparseBlocks in_blocks(const SparseRows& a, std::int64_t block_rows, std::int64_t block_cols) {
  SparseBlocks result{a.rows, a.cols, block_rows, block_cols, {0}, {}, {}};
  const auto first_element = [&](std::int64_t block_row) {
    return a.offsets[at(std::min(a.rows, block_row * block_rows))];
  };
  const std::int64_t rows = parts(a.rows, block_rows);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto mine = static_cast<std::ptrdiff_t>(result.columns.size());
    for (std::int64_t k = first_element(i); k < first_element(i + 1); ++k)
      result.columns.push_back(static_cast<std::int32_t>(a.columns[at(k)] / block_cols));
    const auto begin = result.columns.begin() + mine;
    std::sort(begin, result.columns.end());
    result.columns.erase(std::unique(begin, result.columns.end()), result.columns.end());
    result.offsets.push_back(count(result.columns));
  }
  require_host_memory(fmt::format("{} blocks of {} x {}", result.columns.size(), block_rows, block_cols),
                      8 * static_cast<double>(result.columns.size()) * static_cast<double>(block_rows) *
                          static_cast<double>(block_cols));
  result.values.resize(result.columns.size() * at(block_rows * block_cols));
  std::vector<std::int64_t> block_of(
      at(parts(a.cols, block_cols)));  // by block column, of this row of blocks
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t b = result.offsets[at(i)]; b < result.offsets[at(i + 1)]; ++b)
      block_of[at(result.columns[at(b)])] = b;
    for (std::int64_t row = i * block_rows; row < std::min(a.rows, (i + 1) * block_rows); ++row) {
      for (std::int64_t k = a.offsets[at(row)]; k < a.offsets[at(row + 1)]; ++k) {
        const std::int64_t column = a.columns[at(k)], block = block_of[at(column / block_cols)];
        result.values[at((block * block_rows + row % block_rows) * block_cols + column % block_cols)] +=
            a.values[at(k)];
      }
    }
  }
  return result;
}

SparseRows out_of_blocks(const SparseBlocks& a) {
  SparseRows result{a.rows, a.cols, {0}, {}, {}};
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const std::int64_t i = row / a.block_rows;
    for (std::int64_t b = a.offsets[at(i)]; b < a.offsets[at(i + 1)]; ++b) {
      const std::int64_t first = a.columns[at(b)] * a.block_cols;
      const double* const line = &a.values[at((b * a.block_rows + row % a.block_rows) * a.block_cols)];
      for (std::int64_t c = 0; c < std::min(a.block_cols, a.cols - first); ++c) {
        if (line[c] == 0) continue;
        result.columns.push_back(static_cast<std::int32_t>(first + c));
        result.values.push_back(line[c]);
      }
    }
    result.offsets.push_back(count(result.columns));
  }
  return result;
}

SparseSlices in_slices(const SparseRows& a, std::int64_t slice_rows, std::int64_t sort_rows) {
  const auto length = [&](std::int32_t row) { return a.offsets[at(row) + 1] - a.offsets[at(row)]; };
  SparseSlices result{a.rows, a.cols, slice_rows, std::vector<std::int32_t>(at(a.rows)), {0}, {}, {}};
  auto& order = result.row_numbers;
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t first = 0; first < a.rows; first += sort_rows) {
    std::stable_sort(order.begin() + first, order.begin() + std::min(a.rows, first + sort_rows),
                     [&](std::int32_t x, std::int32_t y) { return length(x) > length(y); });
  }
  double stored = 0;
  for (std::int64_t first = 0; first < a.rows; first += slice_rows) {
    std::int64_t longest = 0;
    for (std::int64_t p = first; p < std::min(a.rows, first + slice_rows); ++p)
      longest = std::max(longest, length(order[at(p)]));
    stored += static_cast<double>(longest) * static_cast<double>(slice_rows);
    require_host_memory(fmt::format("slices of {} rows", slice_rows), 12 * stored);
    result.offsets.push_back(result.offsets.back() + longest * slice_rows);
  }
  result.columns.assign(at(result.offsets.back()), -1);
  result.values.resize(result.columns.size());
  for (std::int64_t p = 0; p < a.rows; ++p) {
    std::int64_t to = result.offsets[at(p / slice_rows)] + p % slice_rows;
    const auto row = at(order[at(p)]);
    for (std::int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k, to += slice_rows) {
      result.columns[at(to)] = a.columns[at(k)];
      result.values[at(to)] = a.values[at(k)];
    }
  }
  return result;
}

SparseRows out_of_slices(const SparseSlices& a) {
  std::vector<std::int64_t> position_of(at(a.rows));
  for (std::int64_t p = 0; p < a.rows; ++p) position_of[at(a.row_numbers[at(p)])] = p;
  SparseRows result{a.rows, a.cols, {0}, {}, {}};
  for (const std::int64_t p : position_of) {
    const std::int64_t s = p / a.slice_rows;
    for (std::int64_t k = a.offsets[at(s)] + p % a.slice_rows; k < a.offsets[at(s + 1)]; k += a.slice_rows) {
      if (a.columns[at(k)] < 0) continue;
      result.columns.push_back(a.columns[at(k)]);
      result.values.push_back(a.values[at(k)]);
    }
    result.offsets.push_back(count(result.columns));
  }
  return result;
}

}  // namespace
}  // namespace detail

SparseBlocks by_blocks(const SparseRows& a, std::int64_t block_rows, std::int64_t block_cols) {
  return detail::translated([&] {
    detail::require_inside("by_blocks", a);
    detail::require_from_1("by_blocks", "block_rows", block_rows);
    detail::require_from_1("by_blocks", "block_cols", block_cols);
    return detail::in_blocks(a, block_rows, block_cols);
  });
}
SparseRows by_rows(const SparseBlocks& a) {
  return detail::translated([&] {
    detail::require_blocks("by_rows", a);
    return detail::out_of_blocks(a);
  });
}

SparseSlices by_slices(const SparseRows& a, std::int64_t slice_rows, std::int64_t sort_rows) {
  return detail::translated([&] {
    detail::require_inside("by_slices", a);
    detail::require_from_1("by_slices", "slice_rows", slice_rows);
    detail::require_from_1("by_slices", "sort_rows", sort_rows);
    return detail::in_slices(a, slice_rows, sort_rows);
  });
}
SparseRows by_rows(const SparseSlices& a) {
  return detail::translated([&] {
    detail::require_slices("by_rows", a);
    return detail::out_of_slices(a);
  });
}

SparseVector sparse_row(const SparseRows& a, std::int64_t row) {
  return detail::translated([&] {
    detail::require_inside("sparse_row", a);
    if (row < 0 || row >= a.rows)
      throw InvalidArgument(fmt::format("sparse_row: row is {}; it must be from 0 to {}", row, a.rows - 1));
    const auto begin = a.offsets[detail::at(row)], end = a.offsets[detail::at(row + 1)];
    return SparseVector{a.cols,
                        {a.columns.begin() + begin, a.columns.begin() + end},
                        {a.values.begin() + begin, a.values.begin() + end}};
  });
}
SparseRows by_rows(const SparseVector& x) {
  return detail::translated([&] {
    detail::require_vector("by_rows", x);
    return SparseRows{1, x.size, {0, detail::count(x.numbers)}, x.numbers, x.values};
  });
}

}  // namespace tandem
