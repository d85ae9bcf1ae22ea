// needs: tbb
// std::stable_sort with std::execution::par, which libstdc++ runs on TBB. Keys with values become pairs first.

#include <algorithm>
#include <execution>

#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class Key, class Value>
struct Pair {
  Key key;
  Value value;
};

template <class Key, class Value, class Less>
void sort_pairs(const Sort::ArgsOf<Key>& a, Context& ctx, const Less& less) {
  auto* pairs = ctx.scratch<Pair<Key, Value>>(a.n);
  const auto in = a.template in<Value>();
  const auto out = a.template out<Value>();
  for (std::int64_t i = 0; i < a.n; ++i) pairs[i] = {in.keys[i], in.values[i]};
  call_library(ctx, [&] {
    std::stable_sort(std::execution::par, pairs, pairs + a.n,
                     [=](const auto& x, const auto& y) { return less(x.key, y.key); });
  });
  for (std::int64_t i = 0; i < a.n; ++i) {
    out.keys[i] = pairs[i].key;
    out.values[i] = pairs[i].value;
  }
}

template <class C>
void std_par(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  with_less<std::less>(a.order, [&](auto less) {
    Sort::with_values(a.value_bytes, [&]<class Value>() {
      if constexpr (std::is_same_v<Value, Sort::NoValue>) {
        copy_to_output(a, ctx);
        call_library(ctx, [&] { std::stable_sort(std::execution::par, a.keys_out, a.keys_out + a.n, less); });
      } else {
        sort_pairs<Key, Value>(a, ctx, less);
      }
    });
  });
}

REGISTER(Sort, std_par, .note = "std::stable_sort(par)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
