// Idea:    for each row, the blocks of its row of blocks, and of each block the row's elements. Every later step must agree with this one.
// Expect:  one column number for a whole block, where spmv reads one for each element; and one dependent addition per element.
// Limits:  one core; an error that grows with the length of a row. Zeros of blocks are multiplied like any element.

#include "lib/ops/spmv_bsr/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const std::int64_t i = row / a.block_rows, r = row % a.block_rows;
    typename C::T sum = 0;
    for (std::int64_t k = a.begin(i); k < a.end(i); ++k) {
      for (std::int64_t c = 0; c < a.block_cols; ++c) sum += a.product(k, r, c);
    }
    a.store(row, sum);
  }
}

REGISTER(SpmvBsr, serial, .note = "loops over rows, blocks and columns")

}  // namespace
}  // namespace tandem
