// Wrong:   rows of the input are taken to lie one behind the other.
// Caught:  a distance above n.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void rows_without_gap(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.in_distance = a.n;
  convolve_rows_one_by_one<C>(a, ctx);
}

REGISTER(Convolve, rows_without_gap, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
