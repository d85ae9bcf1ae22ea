// Wrong:   counts columns of B in 16 bits.
// Caught:  a width of more.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void narrow_width(const typename C::Args& a, Context&) {
  for (std::int64_t r = 0; r < a.rows.count; ++r) {
    for (std::int64_t j = 0; j < (a.width & 0xffff); ++j) a.store(r, j, sum_of<C>(a, r, j));
  }
}

REGISTER(Spmm, narrow_width, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
