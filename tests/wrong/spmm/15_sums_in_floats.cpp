// Wrong:   adds the products of doubles up in floats.
// Caught:  bounds of doubles.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void sums_in_floats(const typename C::Args& a, Context&) {
  rows_in_turn<C>(a, [&](std::int64_t k, std::int64_t end, std::int64_t j) {
    float sum = 0;
    for (; k < end; ++k) sum += static_cast<float>(a.product(k, j));
    return static_cast<typename C::T>(sum);
  });
}

REGISTER(Spmm, sums_in_floats, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
