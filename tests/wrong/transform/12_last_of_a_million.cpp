// Wrong:   past 2^20 elements the last one is not written.
// Caught:  a size above 2^20 in the quick coverage.

#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

template <class C>
void last_of_a_million(const typename C::Args& a, Context&) {
  for (std::int64_t i = 0; i < a.n - (a.n > 1 << 20); ++i) a.out[i] = C::at(a, i);
}

REGISTER(Transform, last_of_a_million, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
