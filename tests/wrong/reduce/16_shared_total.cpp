// Wrong:   above 20,000 elements each of four threads overwrites the total that the others left.
// Caught:  sizes above every threshold from which on threads start. However the threads meet, one part alone is left.

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void shared_total(const typename C::Args& a, Context&) {
  constexpr auto kIdentity = C::Op::template identity<typename C::Acc>();
  auto total = kIdentity;
#pragma omp parallel num_threads(4) if (a.n > 20000)
  {
    auto part = kIdentity;
#pragma omp for
    for (std::int64_t i = 0; i < a.n; ++i) part = typename C::Op{}(part, C::load(a.in[i]));
#pragma omp critical
    total = part;
  }
  *a.out = total;
}

REGISTER(Reduce, shared_total, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
