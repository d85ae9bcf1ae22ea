// Wrong:   negates by subtracting from 0, so that 0 becomes +0 where -0 is right.
// Caught:  the sign of a zero is compared where one operation gives it.

#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

template <class C>
void negated_from_zero(const typename C::Args& a, Context&) {
  for (std::int64_t i = 0; i < a.n; ++i) {
    if constexpr (C::id.op == OperatorId::negate && std::is_floating_point_v<typename C::T>)
      a.out[i] = typename C::T(0) - a.in[0][i];
    else
      a.out[i] = C::at(a, i);
  }
}

REGISTER(Transform, negated_from_zero, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
