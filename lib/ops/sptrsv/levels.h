#pragma once
// Which rows of a triangle can be solved side by side.

#include <algorithm>
#include <span>
#include <vector>

#include "tandem/sptrsv.h"

namespace tandem {

struct Levels {
  std::vector<std::int64_t> begins{0};  // of each in `order`, and the end of the last one
  std::vector<std::int32_t> order;      // rows, level by level, ascending within each
  bool tidy = true;                     // columns ascend within each row, and none is of the other triangle
  std::int64_t no_diagonal = -1;        // the first row that stores no element there
};

/// Row by row in the order of substitution: a row's level is the one behind the last of those that it needs. Then a counting sort.
/// O(rows + elements).
template <class Column>
Levels levels_of(std::span<const std::int64_t> offsets, std::span<const Column> columns, Triangle triangle) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  const bool upper = triangle == Triangle::upper;
  Levels levels;
  std::vector<std::int32_t> level_of(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t r = upper ? rows - 1 - i : i;
    const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(r)]),
               end = static_cast<std::size_t>(offsets[static_cast<std::size_t>(r) + 1]);
    std::int32_t level = 0;
    bool diagonal = false;
    for (std::size_t k = begin; k < end; ++k) {
      const std::int64_t j = columns[k];
      if ((k > begin && columns[k - 1] >= j) || (upper ? j < r : j > r)) levels.tidy = false;
      if (j == r) diagonal = true;
      if (upper ? j > r : j < r) level = std::max(level, level_of[static_cast<std::size_t>(j)] + 1);
    }
    level_of[static_cast<std::size_t>(r)] = level;
    const auto count = static_cast<std::size_t>(level) + 2;
    if (levels.begins.size() < count) levels.begins.resize(count);
    ++levels.begins[count - 1];
    if (!diagonal && (upper || levels.no_diagonal < 0)) levels.no_diagonal = r;
  }
  for (std::size_t l = 1; l < levels.begins.size(); ++l) levels.begins[l] += levels.begins[l - 1];
  levels.order.resize(static_cast<std::size_t>(rows));
  std::vector<std::int64_t> next = levels.begins;
  for (std::size_t r = 0; r < level_of.size(); ++r) {
    std::int64_t& at = next[static_cast<std::size_t>(level_of[r])];
    levels.order[static_cast<std::size_t>(at++)] = static_cast<std::int32_t>(r);
  }
  return levels;
}

}  // namespace tandem
