// needs: roaring
// CRoaring: compressed bitmaps, list after list, shortest first. It works on a form of its own, which is made
// of a list when a query first names it and kept until another index comes, as a program that uses CRoaring
// would: what is timed does not hold it.
// Limits:  one core.

#include <roaring/roaring.h>

#include <memory>
#include <vector>

#include "lib/ops/intersect/answer.h"

namespace tandem {
namespace {

struct Free {
  void operator()(roaring_bitmap_t* bitmap) const { roaring_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<roaring_bitmap_t, Free>;

/// The lists of one index.
struct Bitmaps {
  std::uint64_t serial = 0;
  std::vector<Bitmap> lists;
};

template <class C>
void croaring(const typename C::Args& a, Context& ctx) {
  auto& bitmaps = ctx.keep<Bitmaps>("CRoaring", [] { return Bitmaps{}; });
  if (bitmaps.serial != a.serial) {
    bitmaps.lists.clear();
    bitmaps.lists.resize(static_cast<std::size_t>(a.lists));
    bitmaps.serial = a.serial;
  }
  const auto list = [&](std::int64_t q, std::int64_t t) -> const roaring_bitmap_t* {
    Bitmap& bitmap = bitmaps.lists[a.terms[a.first_term[q] + static_cast<std::uint64_t>(t)]];
    if (!bitmap) {
      const auto ids = a.list(q, t);
      bitmap.reset(roaring_bitmap_of_ptr(static_cast<std::size_t>(ids.size), ids.ids));
      if (!bitmap) throw std::bad_alloc();
    }
    return bitmap.get();
  };
  answer_in_turn(a, ctx, [&](std::int64_t q, typename C::T* to) -> std::int64_t {
    const std::int64_t terms = a.terms_of(q);
    const roaring_bitmap_t* left = list(q, 0);
    Bitmap kept;
    for (std::int64_t t = 1; t + (a.counts != nullptr) < terms; ++t) {
      kept.reset(roaring_bitmap_and(left, list(q, t)));
      left = kept.get();
      if (!left) throw std::bad_alloc();
    }
    if (a.counts)
      return static_cast<std::int64_t>(terms > 1 ? roaring_bitmap_and_cardinality(left, list(q, terms - 1))
                                                 : roaring_bitmap_get_cardinality(left));
    roaring_bitmap_to_uint32_array(left, to);
    return static_cast<std::int64_t>(roaring_bitmap_get_cardinality(left));
  });
}

REGISTER(Intersect, croaring, .note = "roaring_bitmap_and on lists kept as Roaring bitmaps",
         .by_name_only = "takes a second copy of the index")

}  // namespace
}  // namespace tandem
