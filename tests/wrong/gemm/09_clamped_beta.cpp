// Wrong:   beta is no more than 2.
// Caught:  a beta of 3, and of 1000.

#include <algorithm>

#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

template <class C>
requires Gemm::wide<C>
void clamped_beta(const typename C::Args& g, Context&) {
  using T = typename C::T;
  for (std::int64_t i = 0; i < g.m; ++i) {
    for (std::int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (std::int64_t p = 0; p < g.k; ++p) sum += g.a(i, p) * g.b(p, j);
      C::update(g.c[i * g.ldc + j], sum, g.alpha, std::min(g.beta, T(2)));
    }
  }
}

REGISTER(Gemm, clamped_beta, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
