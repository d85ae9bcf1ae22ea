// Wrong:   leaves the rows of the last level as they are.
// Caught:  every matrix with a row.

#include "custom_kernels/sptrsv/detail/row.h"

namespace tandem {
namespace {

template <class C>
void last_level_dropped(const typename C::Args& a, Context&) {
  for (std::int64_t i = 0; i < a.begins[a.levels - 1]; ++i) solve_row(a, a.order[i]);
}

REGISTER(Sptrsv, last_level_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
