// Wrong:   takes a flag for set where it is 1.
// Caught:  flags of every value but 0 say yes.

#include "tests/wrong/select/loop.h"

namespace tandem {
namespace {

template <class C>
void one_flag(const typename C::Args& a, Context&) {
  select_in_turn(
      a, [&](std::int64_t i) { return a.kind == Select::Kind::flags ? a.flags[i] == 1 : a.keeps(i); });
}

REGISTER(Select, one_flag, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
