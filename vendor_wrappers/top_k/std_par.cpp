// needs: tbb
// std::sort with std::execution::par of all codes with positions, which libstdc++ runs on TBB.

#include <algorithm>
#include <execution>

#include "lib/core/library_call.h"
#include "lib/ops/top_k/item.h"

namespace tandem {
namespace {

template <class C>
void std_par(const typename C::Args& a, Context& ctx) {
  auto* items = codes_with_positions(a, ctx);
  call_library(ctx, [&] { std::sort(std::execution::par, items, items + a.n); });
  take(a, items);
}

REGISTER(TopK, std_par, .note = "std::sort(par) of everything",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
