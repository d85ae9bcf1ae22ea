// Wrong:   above 20,000 elements threads add to one total with nothing to order them.
// Caught:  sizes above every threshold from which on threads start.

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void shared_total(const typename C::Args& a, Context&) {
  auto total = C::Op::template identity<typename C::Acc>();
#pragma omp parallel for num_threads(4) if (a.n > 20000)
  for (std::int64_t i = 0; i < a.n; ++i) total = typename C::Op{}(total, C::load(a.in[i]));
  *a.out = total;
}

REGISTER(Reduce, shared_total, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
