// Idea:    one loop, which appends each element that is kept. Every later step must agree with this one.
// Expect:  a branch per element: cheap where it can be guessed, a dozen cycles each where one in two is kept. Without
//          one, every element is stored and the position moves on where it is kept; but elements past the count may not
//          be touched, so the loop stores where it must.
// Limits:  one core. A partition in place needs room for the others.

#include <algorithm>

#include "lib/ops/select/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const bool partition = a.kind == Select::Kind::partition;
  T* others = partition ? ctx.scratch<T>(a.n) : nullptr;
  std::int64_t kept = 0, left = 0;
  T before{};  // the element before, which may have been overwritten
  for (std::int64_t i = 0; i < a.n; ++i) {
    const T x = a.in[i];
    const bool keeps = a.kind == Select::Kind::unique ? i == 0 || !detail::equals(before, x) : a.keeps(i, x);
    before = x;
    if (keeps)
      a.out[kept++] = x;
    else if (partition)
      others[left++] = x;
  }
  std::copy_n(others, left, a.out + kept);
  *a.count = kept;
}

REGISTER(Select, serial, .note = "one loop", .refuses = Select::takes_all)

}  // namespace
}  // namespace tandem
