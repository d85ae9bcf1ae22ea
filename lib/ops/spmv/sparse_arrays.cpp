#include "tandem/sparse_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "lib/core/context_impl.h"
#include "lib/core/require.h"
#include "lib/ops/spmv/csr_check.h"
#include "lib/ops/spmv/host_copies.h"
#include "lib/ops/spmv/inside.h"
#include "lib/ops/spmv/look_at.h"
#include "lib/ops/spmv/sparse_kernels.h"
#include "tandem/sort.h"

namespace tandem::detail {
namespace {

constexpr const char* kCsr = "CsrMatrix";
constexpr std::int64_t kMost = INT32_MAX;  // rows or columns whose numbers have 31 bits

/// use(part) for the numbers of an array, a part at a time.
template <class Use>
void look_at_indices(Context& ctx, const Indices& all, Use use) {
  const auto typed = [&]<class I>(const I* data) { look_at(ctx, View<const I>{data, all.size}, use); };
  if (all.type == Type::i32)
    typed(static_cast<const std::int32_t*>(all.data));
  else if (all.type == Type::u32)
    typed(static_cast<const std::uint32_t*>(all.data));
  else
    typed(static_cast<const std::int64_t*>(all.data));
}

/// By rows, of elements in any order: `rows` of them, to which row_numbers say where each element belongs. Column numbers and values
/// are moved by two stable sorts of the same numbers, so in one order.
CsrIndices grouped(Context& ctx, std::int64_t rows, View<const std::int32_t> row_numbers,
                   const std::int32_t* columns, const void* values, std::size_t value_bytes,
                   void* values_out) {
  const std::int64_t n = row_numbers.size;
  Array<std::int32_t> sorted(ctx, n);
  CsrIndices result{Array<std::int64_t>(ctx, rows + 1), Array<std::int32_t>(ctx, n)};
  const ConstMemory keys{row_numbers.data, n};
  const int bits = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(2, rows) - 1));
  const SortOrder order{.end_bit = bits};  // all others agree
  const auto move = [&](const void* from, void* to, std::size_t bytes) {
    sort(ctx, Type::i32, keys, memory(sorted), {{from, n}, {to, n}, static_cast<int>(bytes)}, order, {});
  };
  move(values, values_out, value_bytes);
  move(columns, result.columns.data(), sizeof(std::int32_t));
  sparse_kernels(ctx.place()).row_offsets(ctx, rows + 1, {sorted.data(), n, 0, result.offsets.data()});
  ctx.synchronize();  // what was sorted is given back
  return result;
}

}  // namespace

// Copies become a CsrMatrix, so what is wrong with them is said as it says it.

Array<std::int64_t> copy_offsets(Context& ctx, const Indices& offsets) {
  return public_call(ctx, [&] {
    require::array(ctx, kCsr, "offsets", offsets.data, offsets.size, size_of(offsets.type));
    std::vector<std::int64_t> all;
    all.reserve(static_cast<std::size_t>(offsets.size));
    look_at_indices(ctx, offsets,
                    [&](std::int64_t, const auto& part) { all.insert(all.end(), part.begin(), part.end()); });
    return Array<std::int64_t>(ctx, all);
  });
}

Array<std::int32_t> copy_columns(Context& ctx, std::int64_t cols, const Indices& columns) {
  return public_call(ctx, [&] {
    require::array(ctx, kCsr, "columns", columns.data, columns.size, size_of(columns.type));
    std::vector<std::int32_t> all;
    all.reserve(static_cast<std::size_t>(columns.size));
    look_at_indices(ctx, columns, [&]<class I>(std::int64_t first, const std::vector<I>& part) {
      if (cols >= 0) require_numbers<I>(kCsr, "column", first, part, std::min(cols, kMost + 1));
      for (const I column : part) all.push_back(static_cast<std::int32_t>(column));
    });
    return Array<std::int32_t>(ctx, all);
  });
}

void copy_values(Context& ctx, ConstMemory values, std::size_t value_bytes, void* to) {
  public_call(ctx, [&] {
    require::array(ctx, kCsr, "values", values.data, values.size, value_bytes);
    if (values.size > 0) ctx.copy(to, values.data, static_cast<std::size_t>(values.size) * value_bytes);
  });
}

CooPattern::CooPattern(std::int64_t rows, std::int64_t cols, View<const std::int32_t> row_numbers,
                       View<const std::int32_t> column_numbers, std::int64_t values)
    : rows_(rows),
      cols_(cols),
      elements_(values),
      row_numbers_(row_numbers.data),
      column_numbers_(column_numbers.data) {
  require_sides("CooMatrix", rows, cols);
  require::same_size("CooMatrix", values, row_numbers.size, "values", "row_numbers");
  require::same_size("CooMatrix", values, column_numbers.size, "values", "column_numbers");
}

CooPattern::CooPattern(Context& ctx, std::int64_t rows, std::int64_t cols,
                       View<const std::int32_t> row_numbers, View<const std::int32_t> column_numbers,
                       ConstMemory values, std::size_t value_bytes)
    : CooPattern(rows, cols, row_numbers, column_numbers, values.size) {
  constexpr const char* kName = "CooMatrix";
  public_call(ctx, [&] {
    require::array(ctx, kName, "row_numbers", row_numbers.data, row_numbers.size, sizeof(std::int32_t));
    require::array(ctx, kName, "column_numbers", column_numbers.data, column_numbers.size,
                   sizeof(std::int32_t));
    require::array(ctx, kName, "values", values.data, values.size, value_bytes);
    const auto check = [&](View<const std::int32_t> numbers, const char* kind, std::int64_t limit) {
      look_at(ctx, numbers, [&](std::int64_t first, const std::vector<std::int32_t>& part) {
        require_numbers<std::int32_t>(kName, kind, first, part, limit);
      });
    };
    check(row_numbers, "row", rows);
    check(column_numbers, "column", cols);
  });
}

CsrIndices transposed(Context& ctx, const CsrPattern& a, const void* values, std::size_t value_bytes,
                      void* values_out) {
  constexpr const char* kName = "transposed";
  return public_call(ctx, [&] {
    require::array(ctx, kName, "offsets", a.offsets(), a.rows() + 1, sizeof(std::int64_t));
    require::array(ctx, kName, "columns", a.columns(), a.elements(), sizeof(std::int32_t));
    require::array(ctx, kName, "values", values, a.elements(), value_bytes);
    if (a.rows() > kMost)
      throw InvalidArgument(
          fmt::format("{}: the matrix has {} rows; it must have at most {}, whose numbers fit in 31 bits",
                      kName, a.rows(), kMost));
    Array<std::int32_t> row_numbers(ctx, a.elements());
    // Element k is in row r, so many as there are ends of rows that are at most k.
    if (a.elements() > 0)
      sparse_kernels(ctx.place())
          .row_numbers(ctx, a.elements(), {a.offsets() + 1, a.rows(), 1, row_numbers.data()});
    return grouped(ctx, a.cols(), {a.columns(), a.elements()}, row_numbers.data(), values, value_bytes,
                   values_out);
  });
}

CsrIndices to_csr(Context& ctx, const CooPattern& a, const void* values, std::size_t value_bytes,
                  void* values_out) {
  constexpr const char* kName = "to_csr";
  return public_call(ctx, [&] {
    require::array(ctx, kName, "row_numbers", a.row_numbers(), a.elements(), sizeof(std::int32_t));
    require::array(ctx, kName, "column_numbers", a.column_numbers(), a.elements(), sizeof(std::int32_t));
    require::array(ctx, kName, "values", values, a.elements(), value_bytes);
    return grouped(ctx, a.rows(), {a.row_numbers(), a.elements()}, a.column_numbers(), values, value_bytes,
                   values_out);
  });
}

SparseRows in_host_memory(Context& ctx, const char* function, const CsrPattern& a, ConstMemory values,
                          Type type) {
  return public_call(ctx, [&] {
    require::array(ctx, function, "offsets", a.offsets(), a.rows() + 1, sizeof(std::int64_t));
    require::array(ctx, function, "columns", a.columns(), a.elements(), sizeof(std::int32_t));
    require::array(ctx, function, "values", values.data, values.size, size_of(type));
    return SparseRows{a.rows(), a.cols(), copied(ctx, a.offsets(), a.rows() + 1),
                      copied(ctx, a.columns(), a.elements()), copied_values(ctx, values, type)};
  });
}

}  // namespace tandem::detail
