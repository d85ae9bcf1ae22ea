#include "tandem/spmv_bsr.h"

#include "lib/core/call.h"
#include "lib/ops/spmv/host_copies.h"
#include "lib/ops/spmv/inside.h"
#include "lib/ops/spmv/products.h"
#include "lib/ops/spmv_bsr/contract.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = "BsrMatrix";

}  // namespace

BsrPattern::BsrPattern(std::int64_t rows, std::int64_t cols, std::int64_t block_rows, std::int64_t block_cols,
                       const Arrays& arrays)
    : rows_(rows),
      cols_(cols),
      block_rows_(block_rows),
      block_cols_(block_cols),
      blocks_(arrays.columns.size),
      offsets_(arrays.offsets.data),
      columns_(arrays.columns.data) {
  require_sizes(kName, BlockPattern{rows, cols, block_rows, block_cols, {}, {}, arrays.values.size},
                arrays.offsets.size, arrays.columns.size);
}

BsrPattern::BsrPattern(Context& ctx, std::int64_t rows, std::int64_t cols, std::int64_t block_rows,
                       std::int64_t block_cols, const Arrays& arrays, std::size_t value_bytes)
    : BsrPattern(rows, cols, block_rows, block_cols, arrays) {
  public_call(ctx, [&] {
    const auto& [offsets, columns, values] = arrays;
    require::array(ctx, kName, "offsets", offsets.data, offsets.size, sizeof(std::int64_t));
    require::array(ctx, kName, "columns", columns.data, columns.size, sizeof(std::int32_t));
    require::array(ctx, kName, "values", values.data, values.size, value_bytes);
    const auto all_offsets = copied(ctx, offsets.data, offsets.size);
    const auto all_columns = copied(ctx, columns.data, columns.size);
    ctx.synchronize();
    require_pattern(kName,
                    BlockPattern{rows, cols, block_rows, block_cols, all_offsets, all_columns, values.size});
  });
}

SparseBlocks in_host_memory(Context& ctx, const BsrPattern& a, ConstMemory values, Type type) {
  constexpr const char* kFunction = "to_csr";
  return public_call(ctx, [&] {
    require::array(ctx, kFunction, "offsets", a.offsets(), a.rows_of_blocks() + 1, sizeof(std::int64_t));
    require::array(ctx, kFunction, "columns", a.columns(), a.blocks(), sizeof(std::int32_t));
    require::array(ctx, kFunction, "values", values.data, values.size, size_of(type));
    return SparseBlocks{a.rows(),
                        a.cols(),
                        a.block_rows(),
                        a.block_cols(),
                        copied(ctx, a.offsets(), a.rows_of_blocks() + 1),
                        copied(ctx, a.columns(), a.blocks()),
                        copied_values(ctx, values, type)};
  });
}

void spmv_bsr(Context& ctx, Type type, const BsrPattern& a, const void* values, const void* alpha,
              ConstMemory x, const void* beta, Memory y, const Options& options) {
  public_call(ctx, [&] {
    require::product(ctx, SpmvBsr::name, a.rows(), a.cols(), x, y, size_of(type),
                     {{"offsets", a.offsets(), a.rows_of_blocks() + 1, sizeof(std::int64_t)},
                      {"columns", a.columns(), a.blocks(), sizeof(std::int32_t)},
                      {"values", values, a.stored(), size_of(type)}});
    for_case<SpmvBsr>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const SpmvBsr::Shape shape{a.rows(), a.cols(), a.block_rows(), a.block_cols(), a.blocks()};
      call<SpmvBsr, C>(ctx,
                       C::args(shape, a.offsets(), a.columns(), static_cast<const T*>(values),
                               static_cast<const T*>(x.data), static_cast<T*>(y.data),
                               *static_cast<const T*>(alpha), *static_cast<const T*>(beta)),
                       shape, options);
    });
  });
}

}  // namespace tandem::detail
