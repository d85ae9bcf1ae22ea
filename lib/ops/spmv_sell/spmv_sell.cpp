#include "tandem/spmv_sell.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "lib/core/call.h"
#include "lib/ops/spmv/host_copies.h"
#include "lib/ops/spmv/inside.h"
#include "lib/ops/spmv/products.h"
#include "lib/ops/spmv_sell/contract.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = "SellMatrix";

}  // namespace

SellPattern::SellPattern(std::int64_t rows, std::int64_t cols, std::int64_t slice_rows, const Arrays& arrays)
    : rows_(rows),
      cols_(cols),
      slice_rows_(slice_rows),
      stored_(arrays.columns.size),
      offsets_(arrays.offsets.data),
      columns_(arrays.columns.data),
      row_numbers_(arrays.row_numbers.size > 0 ? arrays.row_numbers.data : nullptr) {
  require_sizes(kName, SlicePattern{rows, cols, slice_rows, {}, {}, {}}, arrays.offsets.size,
                arrays.row_numbers.size);
  if (arrays.row_numbers.size > 0 && !arrays.row_numbers.data) {
    throw InvalidArgument(
        fmt::format("{}: 'row_numbers' is null, but its size is {}", kName, arrays.row_numbers.size));
  }
  require::same_size(kName, arrays.columns.size, arrays.values.size, "columns", "values");
}

SellPattern::SellPattern(Context& ctx, std::int64_t rows, std::int64_t cols, std::int64_t slice_rows,
                         const Arrays& arrays, std::size_t value_bytes)
    : SellPattern(rows, cols, slice_rows, arrays) {
  public_call(ctx, [&] {
    const auto& [offsets, columns, row_numbers, values] = arrays;
    require::array(ctx, kName, "offsets", offsets.data, offsets.size, sizeof(std::int64_t));
    require::array(ctx, kName, "columns", columns.data, columns.size, sizeof(std::int32_t));
    require::array(ctx, kName, "row_numbers", row_numbers.data, row_numbers.size, sizeof(std::int32_t));
    require::array(ctx, kName, "values", values.data, values.size, value_bytes);
    const auto all_offsets = copied(ctx, offsets.data, offsets.size);
    const auto all_columns = copied(ctx, columns.data, columns.size);
    const auto all_rows = copied(ctx, row_numbers.data, row_numbers.size);
    ctx.synchronize();
    require_pattern(kName, SlicePattern{rows, cols, slice_rows, all_offsets, all_columns, all_rows});
  });
}

SparseSlices in_host_memory(Context& ctx, const SellPattern& a, ConstMemory values, Type type) {
  constexpr const char* kFunction = "to_csr";
  return public_call(ctx, [&] {
    require::array(ctx, kFunction, "offsets", a.offsets(), a.slices() + 1, sizeof(std::int64_t));
    require::array(ctx, kFunction, "columns", a.columns(), a.stored(), sizeof(std::int32_t));
    require::array(ctx, kFunction, "row_numbers", a.row_numbers(), a.row_numbers() ? a.rows() : 0,
                   sizeof(std::int32_t));
    require::array(ctx, kFunction, "values", values.data, values.size, size_of(type));
    SparseSlices all{a.rows(),
                     a.cols(),
                     a.slice_rows(),
                     {},
                     copied(ctx, a.offsets(), a.slices() + 1),
                     copied(ctx, a.columns(), a.stored()),
                     {}};
    if (a.row_numbers()) {
      all.row_numbers = copied(ctx, a.row_numbers(), a.rows());
    } else {
      all.row_numbers.resize(static_cast<std::size_t>(a.rows()));
      std::iota(all.row_numbers.begin(), all.row_numbers.end(), 0);
    }
    all.values = copied_values(ctx, values, type);
    return all;
  });
}

void spmv_sell(Context& ctx, Type type, const SellPattern& a, const void* values, const void* alpha,
               ConstMemory x, const void* beta, Memory y, const Options& options) {
  public_call(ctx, [&] {
    require::product(ctx, SpmvSell::name, a.rows(), a.cols(), x, y, size_of(type),
                     {{"offsets", a.offsets(), a.slices() + 1, sizeof(std::int64_t)},
                      {"columns", a.columns(), a.stored(), sizeof(std::int32_t)},
                      {"row_numbers", a.row_numbers(), a.row_numbers() ? a.rows() : 0, sizeof(std::int32_t)},
                      {"values", values, a.stored(), size_of(type)}});
    for_case<SpmvSell>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const SpmvSell::Shape shape{a.rows(), a.cols(), a.slice_rows(), a.stored(), a.row_numbers() != nullptr};
      call<SpmvSell, C>(
          ctx,
          C::args(shape, a.offsets(), a.columns(), a.row_numbers(), static_cast<const T*>(values),
                  static_cast<const T*>(x.data), static_cast<T*>(y.data), *static_cast<const T*>(alpha),
                  *static_cast<const T*>(beta)),
          shape, options);
    });
  });
}

}  // namespace tandem::detail
