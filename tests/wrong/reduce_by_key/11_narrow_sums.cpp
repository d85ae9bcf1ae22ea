// Wrong:   half, bfloat16 and bytes are reduced in their own type, and widened at the end.
// Caught:  sums that leave its range or its bits.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

struct Wrong : RightLoop {
  template <class C>
  static typename C::Acc next(typename C::Acc total, typename C::Acc x) {
    return static_cast<typename C::Acc>(static_cast<typename C::T>(typename C::Op{}(total, x)));
  }
};

template <class C>
void narrow_sums(const typename C::Args& a, Context&) {
  reduce_in_turn<C, Wrong>(a);
}

REGISTER(ReduceByKey, narrow_sums, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
