// Wrong:   positions are counted in 12 bits.
// Caught:  keys behind the 4096th.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void short_positions(const typename C::Args& a, Context& ctx) {
  CodeAt<typename C::Key>* items = codes_with_positions(a, ctx);
  std::sort(items, items + a.n);
  for (std::int64_t i = 0; i < a.k; ++i) {
    if (a.keys_out) a.keys_out[i] = a.in[items[i].position];
    if (a.positions_out) a.positions_out[i] = items[i].position % 4096;
  }
}

REGISTER(TopK, short_positions, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
