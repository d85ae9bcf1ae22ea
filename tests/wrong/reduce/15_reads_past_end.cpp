// Wrong:   reads whole packs of four, up to three elements past the end, and does not use these.
// Caught:  on the host the page behind an array cannot be read.

#include <cstring>

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void reads_past_end(const typename C::Args& a, Context&) {
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t i = 0; i < a.n; i += 4) {
    typename C::T pack[4];
    std::memcpy(pack, &a.in[i], sizeof pack);
    for (int k = 0; k < 4 && i + k < a.n; ++k) total = typename C::Op{}(total, C::load(pack[k]));
  }
  *a.out = total;
}

REGISTER(Reduce, reads_past_end, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
