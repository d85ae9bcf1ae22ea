// Wrong:   adds the products of doubles up in floats.
// Caught:  bounds of doubles.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void sums_in_floats(const typename C::Args& a, Context&) {
  rows_in_turn<C>(
      a,
      [&](std::int64_t k, std::int64_t end) {
        float sum = 0;
        for (; k < end; ++k) sum += static_cast<float>(a.product(k));
        return static_cast<typename C::T>(sum);
      },
      [&](std::int64_t r, typename C::T sum) { a.store(r, sum); });
}

REGISTER(Spmv, sums_in_floats, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
