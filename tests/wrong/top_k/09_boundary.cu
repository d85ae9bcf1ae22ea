// Wrong:   a digit is chosen whose keys end one before the k-th.
// Caught:  any k, where the k-th key is the first with its digit.

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
