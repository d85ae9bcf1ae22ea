// needs: tbb
// std::stable_sort with std::execution::par, which libstdc++ runs on TBB. Keys with values become pairs first.

#include <algorithm>
#include <execution>

#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class K, class Value>
struct Pair {
  K key;
  Value value;
};

template <class K, class Value, class Args, class Less>
void sort_pairs(const Args& a, Context& ctx, const Less& less) {
  auto* pairs = ctx.scratch<Pair<K, Value>>(a.n);
  const auto* keys = reinterpret_cast<const K*>(a.keys);
  const auto* values = static_cast<const Value*>(a.values);
  for (std::int64_t i = 0; i < a.n; ++i) pairs[i] = {keys[i], values[i]};
  call_library(ctx, [&] {
    std::stable_sort(std::execution::par, pairs, pairs + a.n,
                     [=](const auto& x, const auto& y) { return less(x.key, y.key); });
  });
  for (std::int64_t i = 0; i < a.n; ++i) {
    reinterpret_cast<K*>(a.keys_out)[i] = pairs[i].key;
    static_cast<Value*>(a.values_out)[i] = pairs[i].value;
  }
}

template <class C>
void std_par(const typename C::Args& a, Context& ctx) {
  with_less<typename C::T, NumberLess>(a.order, [&]<class K>(auto less) {
    Sort::with_values(a.value_bytes, [&]<class Value>() {
      if constexpr (std::is_same_v<Value, Sort::NoValue>) {
        copy_to_output(a, ctx);
        auto* keys = reinterpret_cast<K*>(a.keys_out);
        call_library(ctx, [&] { std::stable_sort(std::execution::par, keys, keys + a.n, less); });
      } else {
        sort_pairs<K, Value>(a, ctx, less);
      }
    });
  });
}

REGISTER(
    Sort, std_par, .note = "std::stable_sort(par)",
    .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE),
    .suits = [](const Sort::Shape& shape) { return shape.suits_comparisons(2048); })

}  // namespace
}  // namespace tandem
