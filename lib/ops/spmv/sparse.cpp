#include "tandem/sparse.h"

#include <fmt/format.h>

#include <utility>

#include "lib/core/context_impl.h"
#include "lib/core/require.h"
#include "lib/ops/spmv/columns.h"
#include "lib/ops/spmv/csr_check.h"
#include "lib/ops/spmv/look_at.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = "CsrMatrix";

}  // namespace

CsrPattern::CsrPattern(std::int64_t rows, std::int64_t cols, View<const std::int64_t> offsets,
                       const IndexList& columns, std::int64_t values)
    : rows_(rows), cols_(cols), elements_(columns.size), offsets_(offsets.data), columns_(columns.numbers) {
  for (const auto& [what, value] : {std::pair{"rows", rows}, {"cols", cols}}) {
    if (value < 0)
      throw InvalidArgument(fmt::format("{}: {} is {}; it must be at least 0", kName, what, value));
  }
  if (offsets.size < 1 || offsets.size - 1 != rows) {
    throw InvalidArgument(fmt::format("{}: size of 'offsets' is {}; it must be one more than rows, {}", kName,
                                      offsets.size, rows));
  }
  require::same_size(kName, columns.size, values, "columns", "values");
}

CsrPattern::CsrPattern(Context& ctx, std::int64_t rows, std::int64_t cols, View<const std::int64_t> offsets,
                       const IndexList& columns, ConstMemory values, std::size_t value_bytes)
    : CsrPattern(rows, cols, offsets, columns, values.size) {
  public_call(ctx, [&] {
    require::array(ctx, kName, "offsets", offsets.data, offsets.size, sizeof(std::int64_t));
    require::array(ctx, kName, "columns", columns.numbers.data(), columns.size,
                   size_of(columns.numbers.type()));
    require::array(ctx, kName, "values", values.data, values.size, value_bytes);
    CsrCheck check(kName, rows, cols, columns.size);
    look_at(ctx, offsets, [&](std::int64_t first, const auto& part) { check.offsets(first, part); });
    longest_ = check.longest();
    with_type(columns.numbers, [&]<class Column>(const Column* data) {
      look_at(ctx, View<const Column>{data, columns.size},
              [&](std::int64_t first, const auto& part) { check.columns(first, part); });
    });
  });
}

}  // namespace tandem::detail
