#include "tandem/sparse_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/core/host_memory.h"
#include "lib/core/require.h"
#include "lib/ops/spmv/csr_check.h"
#include "lib/ops/spmv/inside.h"
#include "tandem/context.h"

namespace tandem {
namespace detail {

void require_sides(const char* function, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t kMost = INT32_MAX;
  for (const auto& [what, value] : {std::pair{"rows", rows}, {"cols", cols}}) {
    if (value < 0 || value > kMost)
      throw InvalidArgument(
          fmt::format("{}: {} is {}; it must be from 0 to {}", function, what, value, kMost));
  }
}

void require_inside(const char* function, const SparseElements& all) {
  require_sides(function, all.rows, all.cols);
  const std::size_t count = all.values.size();
  if (all.row_numbers.size() != count || all.column_numbers.size() != count) {
    throw InvalidArgument(
        fmt::format("{}: {} row numbers, {} column numbers and {} values; they must be as many", function,
                    all.row_numbers.size(), all.column_numbers.size(), count));
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t row = all.row_numbers[k], column = all.column_numbers[k];
    if (row < 0 || row >= all.rows || column < 0 || column >= all.cols) {
      throw InvalidArgument(fmt::format("{}: element {} is in row {} and column {}; the matrix is {} x {}",
                                        function, k, row, column, all.rows, all.cols));
    }
  }
}

void require_inside(const char* function, const SparseRows& a) {
  require_sides(function, a.rows, a.cols);
  const auto elements = static_cast<std::int64_t>(a.columns.size());
  if (static_cast<std::int64_t>(a.offsets.size()) != a.rows + 1) {
    throw InvalidArgument(fmt::format("{}: size of 'offsets' is {}; it must be one more than rows, {}",
                                      function, a.offsets.size(), a.rows));
  }
  require::same_size(function, elements, static_cast<std::int64_t>(a.values.size()), "columns", "values");
  CsrCheck check(function, a.rows, a.cols, elements);
  check.offsets(0, a.offsets);
  check.columns(0, a.columns);
}

namespace {

SparseRows sorted_by_rows(const SparseElements& all) {
  SparseRows result{all.rows,
                    all.cols,
                    {},
                    std::vector<std::int32_t>(all.values.size()),
                    std::vector<double>(all.values.size())};
  result.offsets.resize(static_cast<std::size_t>(all.rows) + 1);
  for (const std::int32_t row : all.row_numbers) ++result.offsets[static_cast<std::size_t>(row) + 1];
  for (std::size_t i = 1; i < result.offsets.size(); ++i) result.offsets[i] += result.offsets[i - 1];
  // offsets[i] goes from the begin of row i to its end, which is the begin of the next.
  for (std::size_t k = 0; k < all.values.size(); ++k) {
    const auto to = static_cast<std::size_t>(result.offsets[static_cast<std::size_t>(all.row_numbers[k])]++);
    result.columns[to] = all.column_numbers[k];
    result.values[to] = all.values[k];
  }
  std::copy_backward(result.offsets.begin(), result.offsets.end() - 1, result.offsets.end());
  result.offsets[0] = 0;
  return result;
}

SparseElements in_turn(const SparseRows& a) {
  SparseElements all{a.rows, a.cols, {}, a.columns, a.values};
  all.row_numbers.reserve(a.columns.size());
  for (std::int32_t row = 0; row < a.rows; ++row) {
    all.row_numbers.resize(static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(row) + 1]), row);
  }
  return all;
}

SparseRows turned(const SparseRows& a) {
  SparseElements all = in_turn(a);
  std::swap(all.rows, all.cols);
  std::swap(all.row_numbers, all.column_numbers);
  return sorted_by_rows(all);
}

/// Elements of one place are neighbours, and become one.
void add_neighbours(SparseRows& a) {
  std::size_t kept = 0, k = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(a.rows); ++row) {
    const std::size_t first = kept;
    for (const auto end = static_cast<std::size_t>(a.offsets[row + 1]); k < end; ++k) {
      if (kept > first && a.columns[kept - 1] == a.columns[k]) {
        a.values[kept - 1] += a.values[k];
      } else {
        a.columns[kept] = a.columns[k];
        a.values[kept++] = a.values[k];
      }
    }
    a.offsets[row + 1] = static_cast<std::int64_t>(kept);
  }
  a.columns.resize(kept), a.values.resize(kept);
}

SparseRows rows_of(const MatrixView<const double>& dense) {
  Context ctx = Context::host();
  require_sides("from_dense", dense.rows, dense.cols);
  require::matrix(ctx, "from_dense", "dense", untyped(dense), sizeof(double));
  const bool in_rows = dense.layout == Layout::row_major;
  const std::int64_t down = in_rows ? dense.ld : 1, right = in_rows ? 1 : dense.ld;
  SparseRows result{dense.rows, dense.cols, {0}, {}, {}};
  for (std::int64_t i = 0; i < dense.rows; ++i) {
    for (std::int64_t j = 0; j < dense.cols; ++j) {
      const double value = dense.data[i * down + j * right];
      if (value == 0) continue;
      result.columns.push_back(static_cast<std::int32_t>(j));
      result.values.push_back(value);
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.columns.size()));
  }
  return result;
}

std::vector<double> elements_of(const SparseRows& a) {
  require_host_memory(fmt::format("a dense matrix of {} x {}", a.rows, a.cols),
                      8 * static_cast<double>(a.rows) * static_cast<double>(a.cols));
  std::vector<double> all(static_cast<std::size_t>(a.rows * a.cols));
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const auto end = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(row) + 1]);
    for (auto k = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(row)]); k < end; ++k)
      all[static_cast<std::size_t>(row * a.cols + a.columns[k])] += a.values[k];
  }
  return all;
}

/// make(a), once a is known to be a matrix.
template <class Sparse, class Make>
auto checked(const char* function, const Sparse& a, Make make) {
  return translated([&] {
    require_inside(function, a);
    return make(a);
  });
}

}  // namespace
}  // namespace detail

SparseRows by_rows(const SparseElements& elements) {
  return detail::checked("by_rows", elements, detail::sorted_by_rows);
}
SparseRows from_dense(const MatrixView<const double>& dense) {
  return detail::translated([&] { return detail::rows_of(dense); });
}
SparseElements by_elements(const SparseRows& a) { return detail::checked("by_elements", a, detail::in_turn); }
SparseRows transposed(const SparseRows& a) { return detail::checked("transposed", a, detail::turned); }
SparseRows canonical(const SparseRows& a) {
  return detail::checked("canonical", a, [](const SparseRows& all) {
    SparseRows sorted = detail::turned(detail::turned(all));
    detail::add_neighbours(sorted);
    return sorted;
  });
}
std::vector<double> to_dense(const SparseRows& a) {
  return detail::checked("to_dense", a, detail::elements_of);
}

}  // namespace tandem
