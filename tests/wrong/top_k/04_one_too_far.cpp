// Wrong:   the k-th place holds the key number k + 1, as where counting began at 0.
// Caught:  every k below n.

#include "tests/wrong/top_k/in_order.h"

namespace tandem {
namespace {

template <class C>
void one_too_far(const typename C::Args& a, Context& ctx) {
  CodeAt<typename C::Key>* items = codes_with_positions(a, ctx);
  std::sort(items, items + a.n);
  if (a.k < a.n) items[a.k - 1] = items[a.k];
  take(a, items);
}

REGISTER(TopK, one_too_far, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
