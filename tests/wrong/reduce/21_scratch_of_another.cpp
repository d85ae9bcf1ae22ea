// Wrong:   the one thread that it uses writes two partial results, to scratch that has room for one of each thread.
// Caught:  the call that is made again with scratch for one thread: there the canary stands where another's scratch was.

#include "lib/core/workers.h"
#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void scratch_of_another(const typename C::Args& a, Context& ctx) {
  auto* totals = ctx.scratch<typename C::Acc>(most_workers());
  for (const int half : {0, 1}) {
    totals[half] = C::Op::template identity<typename C::Acc>();
    for (std::int64_t i = half * (a.n / 2); i < (half ? a.n : a.n / 2); ++i)
      totals[half] = typename C::Op{}(totals[half], C::load(a.in[i]));
  }
  *a.out = typename C::Op{}(totals[0], totals[1]);
}

REGISTER(Reduce, scratch_of_another, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
