// Wrong:   writes the last key of a run.
// Caught:  runs of zeros of both signs, of which the first is written.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

struct Wrong : RightLoop {
  static std::int64_t key_at(std::int64_t, std::int64_t to) { return to - 1; }
};

template <class C>
void last_key(const typename C::Args& a, Context&) {
  reduce_in_turn<C, Wrong>(a);
}

REGISTER(ReduceByKey, last_key, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
