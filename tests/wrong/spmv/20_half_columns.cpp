// Wrong:   reads column numbers of 64 bits as if they had 32.
// Caught:  matrices with such numbers.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void half_columns(const typename C::Args& a, Context&) {
  const auto* const columns = static_cast<const std::int32_t*>(a.columns.data());
  products_in_turn<C>(a, [&](std::int64_t k) { return a.values[k] * a.x[columns[k]]; });
}

REGISTER(Spmv, half_columns, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
