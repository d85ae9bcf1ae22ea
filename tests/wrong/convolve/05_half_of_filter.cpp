// Wrong:   rows behind the first are multiplied by the first half of the filter, twice.
// Caught:  two rows of three numbers or more.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void half_of_filter(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.batch = 1;
  convolve_rows_one_by_one<C>(a, ctx);
  a.in += a.in_distance, a.out += a.out_distance, a.batch = given.batch - 1;
  const auto of = [&](std::int64_t k) { return given.filter[k % (given.n / 2 + 1)]; };
  convolve_rows_one_by_one<C>(with_filter<C>(a, ctx, of), ctx);
}

REGISTER(Convolve, half_of_filter, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
