// Wrong:   alpha and beta are rounded to float, in f64 too.
// Caught:  factors that floats do not hold.

#include <algorithm>

#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

template <class C>
requires Gemm::wide<C>
void narrow_factors(const typename C::Args& g, Context&) {
  using T = typename C::T;
  for (std::int64_t i = 0; i < g.m; ++i) {
    for (std::int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (std::int64_t p = 0; p < g.k; ++p) sum += g.a(i, p) * g.b(p, j);
      C::update(g.c[i * g.ldc + j], sum, static_cast<float>(g.alpha), static_cast<float>(g.beta));
    }
  }
}

REGISTER(Gemm, narrow_factors, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
