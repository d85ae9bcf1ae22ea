// Wrong:   axpy multiplies by 3, whatever its factor.
// Caught:  several factors, one of them not exact in a narrower type.

#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

template <class C>
void axpy_of_three(typename C::Args a, Context&) {
  if constexpr (C::id.op == OperatorId::axpy) a.f.alpha = 3;
  for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = C::at(a, i);
}

REGISTER(Transform, axpy_of_three, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
