// Wrong:   compares floating-point keys by their bits.
// Caught:  runs of zeros of both signs.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

struct Wrong : RightLoop {
  template <class Word>
  static bool begins(const Keys<Word>& keys, std::int64_t i) {
    return keys.data[i - 1] != keys.data[i];
  }
};

template <class C>
void bits_compared(const typename C::Args& a, Context&) {
  reduce_in_turn<C, Wrong>(a);
}

REGISTER(ReduceByKey, bits_compared, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
