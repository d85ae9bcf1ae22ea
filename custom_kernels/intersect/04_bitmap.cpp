// Idea:    a window of document numbers as a bitmap: the shortest list sets bits, each other list keeps those
//          bits that it would set too, and the bits that are left are the results.
// New:     against zipper, no comparison decides where to go next: an id is a bit, whatever its index in its
//          list.
// Expect:  a few independent instructions per id of every list; the window of 2^16 numbers stays in the L1
//          cache. A window is cleared and scanned in words of 64 bits, which pays where ids are dense.
// Limits:  one core; reads all lists whole; where ids are sparse it clears and scans empty words.
// Source:  Culpepper, Moffat 2010, "Efficient set intersection for inverted indexing"; Chambi et al. 2016,
//          "Better bitmap performance with Roaring bitmaps".

#include <bit>

#include "custom_kernels/intersect/detail/postings.h"

namespace tandem {
namespace {

constexpr std::int64_t kWindow = 1 << 16, kWords = kWindow / 64;

/// Calls keep(bit) for the ids from index `at` on that lie in a window. Moves `at` behind them.
template <class T, class Keep>
void in_window(PostingList<T> list, std::int64_t& at, std::uint64_t window, Keep keep) {
  for (; at < list.size && list.ids[at] / kWindow == window; ++at) keep(list.ids[at] % kWindow);
}

template <class C>
void bitmap(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* memory = ctx.scratch<std::uint64_t>(2 * kWords);
  auto* at = ctx.scratch<std::int64_t>(a.most_terms);
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    const PostingList<T> shortest = a.list(q, 0);
    const std::int64_t terms = a.terms_of(q);
    std::fill_n(at, terms, 0);
    std::int64_t found = 0;
    while (at[0] < shortest.size) {
      const std::uint64_t window = shortest.ids[at[0]] / kWindow;
      std::uint64_t *bits = memory, *next = memory + kWords;
      std::fill_n(bits, kWords, 0);
      in_window(shortest, at[0], window,
                [&](std::uint64_t i) { bits[i / 64] |= std::uint64_t{1} << i % 64; });
      for (std::int64_t t = 1; t < terms; ++t) {
        const PostingList<T> list = a.list(q, t);
        at[t] = gallop(list, at[t], static_cast<T>(window * kWindow));
        std::fill_n(next, kWords, 0);
        in_window(list, at[t], window,
                  [&](std::uint64_t i) { next[i / 64] |= bits[i / 64] & std::uint64_t{1} << i % 64; });
        std::swap(bits, next);
      }
      for (std::int64_t w = 0; w < kWords; ++w) {
        for (std::uint64_t word = bits[w]; word != 0; word &= word - 1)
          to[found++] =
              static_cast<T>(window * kWindow + static_cast<std::uint64_t>(w * 64 + std::countr_zero(word)));
      }
    }
    return found;
  });
}

REGISTER(Intersect, bitmap, .note = "windows of 2^16 document numbers as bits")

}  // namespace
}  // namespace tandem
