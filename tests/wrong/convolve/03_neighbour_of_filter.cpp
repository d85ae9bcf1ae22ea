// Wrong:   each number is multiplied by the next one of the filter.
// Caught:  any length above 1.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void neighbour_of_filter(const typename C::Args& given, Context& ctx) {
  const auto of = [&](std::int64_t k) { return given.filter[(k + 1) % given.n]; };
  convolve_rows_one_by_one<C>(with_filter<C>(given, ctx, of), ctx);
}

REGISTER(Convolve, neighbour_of_filter, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
