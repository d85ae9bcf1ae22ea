// Wrong:   sums are floats, whatever the elements.
// Caught:  doubles that floats do not hold.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void sums_in_floats(const typename C::Args& a, Context&) {
  for (std::int64_t row = 0; row < a.rows; ++row) {
    float sum = 0;
    const std::int64_t i = row / a.block_rows;
    for (std::int64_t k = a.begin(i); k < a.end(i); ++k) {
      for (std::int64_t c = 0; c < a.block_cols; ++c)
        sum += static_cast<float>(a.product(k, row % a.block_rows, c));
    }
    a.store(row, sum);
  }
}

REGISTER(SpmvBsr, sums_in_floats, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
