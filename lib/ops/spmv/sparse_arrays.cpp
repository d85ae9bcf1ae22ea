#include "tandem/sparse_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
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

/// Numbers in host memory. Throws InvalidArgument for the first that does not fit, or is not from 0 to limit − 1, where the limit is
/// not below 0.
std::vector<std::int32_t> narrow_numbers(Context& ctx, const char* function, const char* kind,
                                         std::int64_t limit, const Indices& numbers) {
  std::vector<std::int32_t> all;
  all.reserve(static_cast<std::size_t>(numbers.size));
  look_at_indices(ctx, numbers, [&]<class I>(std::int64_t first, const std::vector<I>& part) {
    if (limit >= 0) require_numbers<I>(function, kind, first, part, std::min(limit, kMost + 1));
    for (const I number : part) all.push_back(static_cast<std::int32_t>(number));
  });
  return all;
}
Indices untyped(IndexNumbers numbers, std::int64_t size) { return {numbers.data(), size, numbers.type()}; }

/// Numbers as sorts take them: where they lie, or copies of narrow_numbers().
class NarrowNumbers {
 public:
  NarrowNumbers(Context& ctx, const char* function, const char* kind, std::int64_t limit,
                IndexNumbers numbers, std::int64_t size)
      : data_(numbers.as<std::int32_t>()) {
    if (numbers.type() == Type::i32) return;
    copy_.emplace(ctx, narrow_numbers(ctx, function, kind, limit, untyped(numbers, size)));
    data_ = copy_->data();
  }
  const std::int32_t* data() const { return data_; }

 private:
  std::optional<Array<std::int32_t>> copy_;
  const std::int32_t* data_;
};

void require_numbers_array(Context& ctx, const char* function, const char* name, IndexNumbers numbers,
                           std::int64_t size) {
  require::array(ctx, function, name, numbers.data(), size, size_of(numbers.type()));
}
void require_pattern(Context& ctx, const char* function, const CsrPattern& a) {
  require::array(ctx, function, "offsets", a.offsets(), a.rows() + 1, sizeof(std::int64_t));
  require_numbers_array(ctx, function, "columns", a.columns(), a.elements());
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
    return Array<std::int32_t>(ctx, narrow_numbers(ctx, kCsr, "column", cols, columns));
  });
}

void copy_values(Context& ctx, ConstMemory values, std::size_t value_bytes, void* to) {
  public_call(ctx, [&] {
    require::array(ctx, kCsr, "values", values.data, values.size, value_bytes);
    if (values.size > 0) ctx.copy(to, values.data, static_cast<std::size_t>(values.size) * value_bytes);
  });
}

CooPattern::CooPattern(std::int64_t rows, std::int64_t cols, const IndexList& row_numbers,
                       const IndexList& column_numbers, std::int64_t values)
    : rows_(rows),
      cols_(cols),
      elements_(values),
      row_numbers_(row_numbers.numbers),
      column_numbers_(column_numbers.numbers) {
  require_sides("CooMatrix", rows, cols);
  require::same_size("CooMatrix", values, row_numbers.size, "values", "row_numbers");
  require::same_size("CooMatrix", values, column_numbers.size, "values", "column_numbers");
}

CooPattern::CooPattern(Context& ctx, std::int64_t rows, std::int64_t cols, const IndexList& row_numbers,
                       const IndexList& column_numbers, ConstMemory values, std::size_t value_bytes)
    : CooPattern(rows, cols, row_numbers, column_numbers, values.size) {
  constexpr const char* kName = "CooMatrix";
  public_call(ctx, [&] {
    require_numbers_array(ctx, kName, "row_numbers", row_numbers_, elements_);
    require_numbers_array(ctx, kName, "column_numbers", column_numbers_, elements_);
    require::array(ctx, kName, "values", values.data, values.size, value_bytes);
    const auto check = [&](IndexNumbers numbers, const char* kind, std::int64_t limit) {
      look_at_indices(ctx, untyped(numbers, elements_),
                      [&]<class I>(std::int64_t first, const std::vector<I>& part) {
                        require_numbers<I>(kName, kind, first, part, limit);
                      });
    };
    check(row_numbers_, "row", rows);
    check(column_numbers_, "column", cols);
  });
}

CsrIndices transposed(Context& ctx, const CsrPattern& a, const void* values, std::size_t value_bytes,
                      void* values_out) {
  constexpr const char* kName = "transposed";
  return public_call(ctx, [&] {
    require_pattern(ctx, kName, a);
    require::array(ctx, kName, "values", values, a.elements(), value_bytes);
    if (a.rows() > kMost)
      throw InvalidArgument(
          fmt::format("{}: the matrix has {} rows; it must have at most {}, whose numbers fit in 31 bits",
                      kName, a.rows(), kMost));
    const NarrowNumbers columns(ctx, kName, "column", a.cols(), a.columns(), a.elements());
    Array<std::int32_t> row_numbers(ctx, a.elements());
    // Element k is in row r, so many as there are ends of rows that are at most k.
    if (a.elements() > 0)
      sparse_kernels(ctx.place())
          .row_numbers(ctx, a.elements(), {a.offsets() + 1, a.rows(), 1, row_numbers.data()});
    return grouped(ctx, a.cols(), {columns.data(), a.elements()}, row_numbers.data(), values, value_bytes,
                   values_out);
  });
}

CsrIndices to_csr(Context& ctx, const CooPattern& a, const void* values, std::size_t value_bytes,
                  void* values_out) {
  constexpr const char* kName = "to_csr";
  return public_call(ctx, [&] {
    require_numbers_array(ctx, kName, "row_numbers", a.row_numbers(), a.elements());
    require_numbers_array(ctx, kName, "column_numbers", a.column_numbers(), a.elements());
    require::array(ctx, kName, "values", values, a.elements(), value_bytes);
    const NarrowNumbers rows(ctx, kName, "row", a.rows(), a.row_numbers(), a.elements()),
        columns(ctx, kName, "column", a.cols(), a.column_numbers(), a.elements());
    return grouped(ctx, a.rows(), {rows.data(), a.elements()}, columns.data(), values, value_bytes,
                   values_out);
  });
}

SparseRows in_host_memory(Context& ctx, const char* function, const CsrPattern& a, ConstMemory values,
                          Type type) {
  return public_call(ctx, [&] {
    require_pattern(ctx, function, a);
    require::array(ctx, function, "values", values.data, values.size, size_of(type));
    return SparseRows{a.rows(), a.cols(), copied(ctx, a.offsets(), a.rows() + 1),
                      narrow_numbers(ctx, function, "column", a.cols(), untyped(a.columns(), a.elements())),
                      copied_values(ctx, values, type)};
  });
}

}  // namespace tandem::detail
