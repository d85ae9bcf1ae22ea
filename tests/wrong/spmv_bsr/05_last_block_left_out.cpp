// Wrong:   the last block of each row of blocks is left out.
// Caught:  any block.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void last_block_left_out(const typename C::Args& a, Context&) {
  for (std::int64_t row = 0; row < a.rows; ++row) {
    typename C::T sum = 0;
    const std::int64_t i = row / a.block_rows;
    for (std::int64_t k = a.begin(i); k + 1 < a.end(i); ++k) {
      for (std::int64_t c = 0; c < a.block_cols; ++c) sum += a.product(k, row % a.block_rows, c);
    }
    a.store(row, sum);
  }
}

REGISTER(SpmvBsr, last_block_left_out, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
