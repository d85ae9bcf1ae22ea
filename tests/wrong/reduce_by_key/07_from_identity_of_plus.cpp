// Wrong:   begins every run from 0.
// Caught:  minima of positive numbers, and maxima of negative ones.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

struct Wrong : RightLoop {
  template <class C>
  static typename C::Acc first(typename C::Acc x) {
    return typename C::Op{}(typename C::Acc(0), x);
  }
};

template <class C>
void from_identity_of_plus(const typename C::Args& a, Context&) {
  reduce_in_turn<C, Wrong>(a);
}

REGISTER(ReduceByKey, from_identity_of_plus, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
