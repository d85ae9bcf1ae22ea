// Wrong:   keys behind a limit that a sample told are left out, however few are left.
// Caught:  poisoned output: most samples are too small for a large k.

#include "tests/wrong/top_k/digits.cuh"

namespace tandem {
namespace {

template <class C>
void sample_trusted(const typename C::Args& a, Context& ctx) {
  digits::select<digits::Mistake::sample_trusted, C>(a, ctx);
}

REGISTER(TopK, sample_trusted, .note = "wrong on purpose", .refuses = digits::too_long)

}  // namespace
}  // namespace tandem
