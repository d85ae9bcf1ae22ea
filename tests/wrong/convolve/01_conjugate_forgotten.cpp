// Wrong:   the way back goes forward: rows come out turned around.
// Caught:  any length above 2.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void conjugate_forgotten(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  convolve_rows_one_by_one<C>(given, ctx);
  auto* row = ctx.scratch<Complex<T>>(given.n);
  for (std::int64_t r = 0; r < given.batch; ++r) {
    Complex<T>* const y = given.out + r * given.out_distance;
    for (std::int64_t j = 0; j < given.n; ++j) row[j] = y[j == 0 ? 0 : given.n - j];
    for (std::int64_t j = 0; j < given.n; ++j) y[j] = row[j];
  }
}

REGISTER(Convolve, conjugate_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
