// Wrong:   the filter is conjugated, a correlation.
// Caught:  any filter that is not real.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void filter_conjugated(const typename C::Args& given, Context& ctx) {
  const auto of = [&](std::int64_t k) { return conjugate(given.filter[k]); };
  convolve_rows_one_by_one<C>(with_filter<C>(given, ctx, of), ctx);
}

REGISTER(Convolve, filter_conjugated, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
