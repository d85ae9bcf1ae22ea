// Wrong:   takes NaNs side by side for a run.
// Caught:  runs of NaN keys.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

struct Wrong : RightLoop {
  template <class Word>
  static bool begins(const Keys<Word>& keys, std::int64_t i) {
    return keys.begins(i) && keys.data[i - 1] != keys.data[i];
  }
};

template <class C>
void nan_equal(const typename C::Args& a, Context&) {
  reduce_in_turn<C, Wrong>(a);
}

REGISTER(ReduceByKey, nan_equal, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
