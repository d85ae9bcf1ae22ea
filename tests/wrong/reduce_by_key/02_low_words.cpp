// Wrong:   compares the lower halves of keys of 64 bits.
// Caught:  keys that differ in their highest bits alone.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

struct Wrong : RightLoop {
  template <class Word>
  static bool begins(const Keys<Word>& keys, std::int64_t i) {
    return static_cast<std::uint32_t>(keys.data[i - 1]) != static_cast<std::uint32_t>(keys.data[i]);
  }
};

template <class C>
void low_words(const typename C::Args& a, Context&) {
  reduce_in_turn<C, Wrong>(a);
}

REGISTER(ReduceByKey, low_words, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
