// Wrong:   writes one partial result more than it asked scratch for.
// Caught:  the canary behind each piece of scratch.

#include <algorithm>

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void scratch_overrun(const typename C::Args& a, Context& ctx) {
  constexpr std::int64_t kChunk = 256;
  const std::int64_t chunks = a.n / kChunk;
  auto* totals = ctx.scratch<typename C::Acc>(chunks);
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t c = 0; c <= chunks; ++c) {
    totals[c] = C::Op::template identity<typename C::Acc>();
    for (std::int64_t i = c * kChunk; i < std::min(a.n, (c + 1) * kChunk); ++i)
      totals[c] = typename C::Op{}(totals[c], C::load(a.in[i]));
    total = typename C::Op{}(total, totals[c]);
  }
  *a.out = total;
}

REGISTER(Reduce, scratch_overrun, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
