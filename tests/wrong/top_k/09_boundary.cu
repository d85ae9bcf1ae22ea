// Wrong:   where the keys of a digit end with the k-th, it is looked for behind them.
// Caught:  any k: at the last digit the k-th is the last of its equals, or all of them are.

#include "tests/wrong/top_k/digits.cuh"

namespace tandem {
namespace {

template <class C>
void boundary(const typename C::Args& a, Context& ctx) {
  digits::select<digits::Mistake::boundary, C>(a, ctx);
}

REGISTER(TopK, boundary, .note = "wrong on purpose", .refuses = digits::too_long)

}  // namespace
}  // namespace tandem
