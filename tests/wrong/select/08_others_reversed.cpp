// Wrong:   a partition puts the others in the opposite order, as cub::DevicePartition does.
// Caught:  the others are compared in their order.

#include "tests/wrong/select/loop.h"

namespace tandem {
namespace {

template <class C>
void others_reversed(const typename C::Args& a, Context&) {
  select_in_turn(a, [&](std::int64_t i) { return a.keeps(i); });
  if (a.kind == Select::Kind::partition) std::reverse(a.out + *a.count, a.out + a.n);
}

REGISTER(Select, others_reversed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
