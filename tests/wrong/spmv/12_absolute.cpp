// Wrong:   adds up what elements and x have without their signs.
// Caught:  negative elements.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void absolute(const typename C::Args& a, Context&) {
  products_in_turn<C>(a, [&](std::int64_t k) {
    const typename C::T product = a.product(k);
    return product < 0 ? -product : product;
  });
}

REGISTER(Spmv, absolute, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
