// Wrong:   counts piece by piece of the shortest list, each from the word of 64 numbers that its first id is in to that of its
//          last: ids in a word that two pieces share count twice.
// Caught:  lists of more than a piece whose ids do not lie evenly, so that pieces end within words.

#include <algorithm>

#include "lib/ops/intersect/contract.h"

namespace tandem {
namespace {

template <class C>
void whole_words(const typename C::Args& a, Context&) {
  for (std::int64_t q = 0; q < a.queries; ++q) {
    const auto shortest = a.terms_of(q) > 0 ? a.list(q, 0) : Intersect::List<typename C::T>{nullptr, 0};
    a.counts[q] = 0;
    for (std::int64_t first = 0; first < shortest.size; first += a.piece) {
      const std::int64_t last = std::min<std::int64_t>(first + a.piece, shortest.size) - 1;
      for (std::int64_t i = 0; i < shortest.size; ++i) {
        const auto id = shortest.ids[i];
        bool all = id / 64 >= shortest.ids[first] / 64 && id / 64 <= shortest.ids[last] / 64;
        for (std::int64_t t = 1; t < a.terms_of(q) && all; ++t) {
          const auto list = a.list(q, t);
          all = std::binary_search(list.ids, list.ids + list.size, id);
        }
        a.counts[q] += all;
      }
    }
  }
}

std::string refuses(const Intersect::Shape& shape, CaseId) { return shape.count_only ? "" : "only counts"; }

REGISTER(Intersect, whole_words, .note = "wrong on purpose", .refuses = refuses)

}  // namespace
}  // namespace tandem
