// std::set_intersection, list after list, shortest first.
// Limits:  one core.

#include "lib/ops/intersect/answer.h"

namespace tandem {
namespace {

template <class C>
void std_set_intersection(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* kept = ctx.scratch<T>(a.longest);  // the output may not be an input
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    return list_by_list(a, q, to, [&](const T* x, std::int64_t n, Intersect::List<T> list, T* out) {
      const T* end = std::set_intersection(x, x + n, list.ids, list.ids + list.size, kept);
      std::copy(static_cast<const T*>(kept), end, out);
      return static_cast<std::int64_t>(end - kept);
    });
  });
}

REGISTER(Intersect, std_set_intersection, .note = "std::set_intersection, list after list",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
