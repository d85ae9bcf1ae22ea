// Wrong:   number n/2 of a spectrum, which in a real row stands for no other one, is not multiplied.
// Caught:  even lengths.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void middle_left_alone(const typename C::Args& given, Context& ctx) {
  const auto of = [&](std::int64_t k) {
    return 2 * k == given.n ? Complex<typename C::T>{1, 0} : given.filter[k];
  };
  convolve_rows_one_by_one<C>(with_filter<C>(given, ctx, of), ctx);
}

REGISTER(Convolve, middle_left_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
