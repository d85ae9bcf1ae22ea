// Wrong:   moves no more than 4,096 rows.
// Caught:  more rows in the quick coverage.

#include <algorithm>

#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

template <class C>
void rows_cut(const typename C::Args& a, Context&) {
  for (std::int64_t i = 0; i < std::min<std::int64_t>(a.rows, 4096); ++i) {
    for (std::int64_t j = 0; j < a.cols; ++j) a.out[j * a.ld_out + i] = a.in[i * a.ld_in + j];
  }
}

REGISTER(Transpose, rows_cut, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
