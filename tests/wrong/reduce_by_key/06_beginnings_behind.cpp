// Wrong:   counts where keys change, not the runs.
// Caught:  the count, of any keys at all.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

struct Wrong : RightLoop {
  static std::int64_t count(std::int64_t runs) { return runs - 1; }
};

template <class C>
void beginnings_behind(const typename C::Args& a, Context&) {
  reduce_in_turn<C, Wrong>(a);
}

REGISTER(ReduceByKey, beginnings_behind, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
