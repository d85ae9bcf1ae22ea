// Idea:    the stable sort of the standard library, over pairs of key and value.
// Expect:  n log2(n) comparisons, every second of which a processor guesses wrong where keys are random; merging
//          reads and writes all items log2(n) times, most of them in cache.
// Limits:  one core; the library takes memory of its own in every call.
// Source:  Knuth 1998, "The Art of Computer Programming", volume 3, section 5.2.4.

#include <algorithm>

#include "custom_kernels/sort/detail/item.h"

namespace tandem {
namespace {

template <bool kFloating, class Key, class Value>
void sort_serially(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  std::stable_sort(items, items + a.n, Before<kFloating, Key>{a.order});
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    sort_serially<TypeTraits<typename C::T>::floating, typename C::Key, Value>(a, ctx);
  });
}

REGISTER(Sort, serial, .note = "std::stable_sort of pairs")

}  // namespace
}  // namespace tandem
