// Wrong:   begins in row 0, whatever the triangle.
// Caught:  upper triangles.

#include "custom_kernels/sptrsv/detail/row.h"

namespace tandem {
namespace {

template <class C>
void always_downwards(const typename C::Args& a, Context&) {
  for (std::int64_t r = 0; r < a.rows; ++r) solve_row(a, r);
}

REGISTER(Sptrsv, always_downwards, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
