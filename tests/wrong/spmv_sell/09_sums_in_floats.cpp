// Wrong:   sums are floats, whatever the elements.
// Caught:  doubles that floats do not hold.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void sums_in_floats(const typename C::Args& a, Context&) {
  for (std::int64_t p = 0; p < a.rows; ++p) {
    float sum = 0;
    for (std::int64_t j = 0; j < a.length(p); ++j)
      sum += static_cast<float>(a.product(a.first(p) + j * a.slice_rows));
    a.store(p, sum);
  }
}

REGISTER(SpmvSell, sums_in_floats, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
