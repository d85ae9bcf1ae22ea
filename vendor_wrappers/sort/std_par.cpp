// needs: tbb
// std::stable_sort with std::execution::par, which libstdc++ runs on TBB. Keys with values become pairs first.

#include <algorithm>
#include <execution>

#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class T, class Value>
struct Pair {
  T key;
  Value value;
};

template <class C>
void std_par(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  with_less<T>(a.order, [&](auto less) {
    Sort::with_values(a.value_bytes, [&]<class Value>() {
      constexpr auto policy = std::execution::par;
      if constexpr (std::is_same_v<Value, Sort::NoValue>) {
        copy_to_output(a, ctx);
        auto* keys = reinterpret_cast<T*>(a.keys_out);
        call_library(ctx, [&] { std::stable_sort(policy, keys, keys + a.n, less); });
      } else {
        auto* pairs = ctx.scratch<Pair<T, Value>>(a.n);
        const auto* keys = reinterpret_cast<const T*>(a.keys);
        const auto* values = static_cast<const Value*>(a.values);
        for (std::int64_t i = 0; i < a.n; ++i) pairs[i] = {keys[i], values[i]};
        call_library(ctx, [&] {
          std::stable_sort(policy, pairs, pairs + a.n,
                           [=](const auto& x, const auto& y) { return less(x.key, y.key); });
        });
        const auto out = a.template out<Value>();
        for (std::int64_t i = 0; i < a.n; ++i) {
          reinterpret_cast<T*>(out.keys)[i] = pairs[i].key;
          out.values[i] = pairs[i].value;
        }
      }
    });
  });
}

REGISTER(Sort, std_par, .note = "std::stable_sort(par)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
