// Wrong:   sums end after 1,000 products.
// Caught:  an inner extent above 1,000 in the quick coverage.

#include <algorithm>

#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

template <class C>
requires Gemm::wide<C>
void long_sums_cut(const typename C::Args& g, Context&) {
  using T = typename C::T;
  for (std::int64_t i = 0; i < g.m; ++i) {
    for (std::int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (std::int64_t p = 0; p < std::min<std::int64_t>(g.k, 1000); ++p) sum += g.a(i, p) * g.b(p, j);
      C::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

REGISTER(Gemm, long_sums_cut, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
