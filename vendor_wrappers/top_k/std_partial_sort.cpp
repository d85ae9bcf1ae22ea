// std::partial_sort of codes with positions, on one core.

#include <algorithm>

#include "lib/core/library_call.h"
#include "lib/ops/top_k/item.h"

namespace tandem {
namespace {

template <class C>
void std_partial_sort(const typename C::Args& a, Context& ctx) {
  auto* items = codes_with_positions(a, ctx);
  call_library(ctx, [&] { std::partial_sort(items, items + a.k, items + a.n); });
  take(a, items);
}

REGISTER(TopK, std_partial_sort, .note = "std::partial_sort",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
