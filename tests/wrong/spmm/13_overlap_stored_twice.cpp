// Wrong:   the last block of eight columns begins earlier, and what it has twice is stored twice.
// Caught:  β other than 0, and 1 with nothing added.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void overlap_stored_twice(const typename C::Args& a, Context&) {
  const std::int64_t block = std::min<std::int64_t>(a.width, 8);
  for (std::int64_t r = 0; r < a.rows.count; ++r) {
    for (std::int64_t first = 0; first < a.width; first += block) {
      const std::int64_t from = std::min(first, a.width - block);
      for (std::int64_t j = from; j < from + block; ++j) a.store(r, j, sum_of<C>(a, r, j));
    }
  }
}

REGISTER(Spmm, overlap_stored_twice, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
