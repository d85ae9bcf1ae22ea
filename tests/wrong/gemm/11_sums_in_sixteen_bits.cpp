// Wrong:   sums of half and bfloat16 are rounded to their 16 bits after every product.
// Caught:  exact sums that 16 bits do not hold on the way, and the bound of sums in floats.

#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

template <class C>
requires(!Gemm::wide<C>) void sums_in_sixteen_bits(const typename C::Args& g, Context&) {
  using T = typename C::T;
  for (std::int64_t i = 0; i < g.m; ++i) {
    for (std::int64_t j = 0; j < g.n; ++j) {
      T sum(0.0f);
      for (std::int64_t p = 0; p < g.k; ++p) sum = T(float(sum) + float(g.a(i, p)) * float(g.b(p, j)));
      C::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

REGISTER(Gemm, sums_in_sixteen_bits, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
