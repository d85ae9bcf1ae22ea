// Wrong:   -0 becomes +0.
// Caught:  elements are compared bit by bit, and -0 is among them.

#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

template <class C>
void zero_signs_lost(const typename C::Args& a, Context&) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.cols; ++j) {
      auto x = a.in[i * a.ld_in + j];
      if constexpr (std::is_floating_point_v<typename C::T>) x = x == 0 ? typename C::T(0) : x;
      a.out[j * a.ld_out + i] = x;
    }
  }
}

REGISTER(Transpose, zero_signs_lost, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
