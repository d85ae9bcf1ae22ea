// Idea:    threads sort parts of the array, then merge them two by two; a merge is cut where its merge path crosses
//          every 16K-th diagonal, so that all threads share the last one, too.
// New:     against serial, all cores, in every round of merges.
// Expect:  1/p of the comparisons on p threads, and a trip through memory for each of the log2(parts) rounds.
// Limits:  comparisons that a processor guesses wrong, as before.
// Source:  Odeh, Green, Mwassi, Shmueli, Birk 2012, "Merge path: parallel merging made simple".

#include <algorithm>
#include <bit>

#include "custom_kernels/sort/detail/item.h"
#include "lib/core/workers.h"
#include "tandem/merge_path.h"

namespace tandem {
namespace {

constexpr std::int64_t kPiece = 1 << 14;  // items that a thread merges at once
constexpr std::int64_t kAlone = 1 << 13;  // up to so many items one thread does all

/// Items [first, last) of the array in which every two neighbouring runs are merged.
template <class I, class Less>
void merge_piece(const I* items, std::int64_t n, std::int64_t run, I* merged, std::int64_t first,
                 std::int64_t last, const Less& before) {
  while (first < last) {
    const auto [begin, middle, end] = run_pair(first, run, n);
    const std::int64_t until = std::min(last, end);
    const I *x = items + begin, *y = items + middle;
    const std::int64_t of_first = middle - begin, of_second = end - middle;
    const auto of_x = [&](std::int64_t diagonal) {
      return merge_path(of_first, of_second, diagonal,
                        [&](std::int64_t i, std::int64_t j) { return before(y[j], x[i]); });
    };
    const std::int64_t x0 = of_x(first - begin), x1 = of_x(until - begin);
    std::merge(x + x0, x + x1, y + (first - begin - x0), y + (until - begin - x1), merged + first, before);
    first = until;
  }
}

template <bool kFloating, class Key, class Value>
void sort_on_threads(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const Before<kFloating, Key> before{a.order};
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  auto* merged = ctx.scratch<Item<Key, Value>>(a.n);
  const auto parts =
      a.n <= kAlone ? 1 : static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned>(most_workers())));
  std::int64_t run = (a.n + parts - 1) / parts;
  parallel_for(parts, {}, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t part = first; part < last; ++part) {
      const std::int64_t begin = std::min(a.n, part * run), end = std::min(a.n, begin + run);
      gather(a.template in<Value>() + begin, end - begin, items + begin);
      std::stable_sort(items + begin, items + end, before);
    }
  });
  for (; run < a.n; run *= 2, std::swap(items, merged)) {
    parallel_for(a.n, {.size = kPiece, .alone = kAlone}, [&](std::int64_t first, std::int64_t last, int) {
      merge_piece(items, a.n, run, merged, first, last, before);
    });
  }
  parallel_for(a.n, {.size = kPiece, .alone = kAlone}, [&](std::int64_t begin, std::int64_t end, int) {
    scatter(items + begin, end - begin, a.template out<Value>() + begin);
  });
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    sort_on_threads<TypeTraits<typename C::T>::floating, typename C::Key, Value>(a, ctx);
  });
}

REGISTER(
    Sort, threads, .note = "merge sort, every merge shared by all threads",
    .suits = [](const Sort::Shape& shape) { return shape.suits_comparisons(2048); })

}  // namespace
}  // namespace tandem
