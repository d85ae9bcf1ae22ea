// Idea:    the definition: every element of C is the dot product of a row of A and a column of B. Every later
//          step must agree with it.
// Expect:  one dependent multiply-add at a time, about four cycles each; B is read down its columns, a new
//          cache line for every element.
// Limits:  one core, no reuse of loaded elements.

#include "custom_kernels/gemm/detail/dot.h"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& g, Context&) {
  for (std::int64_t i = 0; i < g.m; ++i) {
    for (std::int64_t j = 0; j < g.n; ++j) C::update(g.c[i * g.ldc + j], dot<C>(g, i, j), g.alpha, g.beta);
  }
}

REGISTER(Gemm, serial, .note = "three loops", .refuses = Gemm::refuse_beyond<640>)

}  // namespace
}  // namespace tandem
