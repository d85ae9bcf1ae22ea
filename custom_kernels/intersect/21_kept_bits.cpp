// Idea:    the index keeps its dense lists as bits, too. What several of them have in common is an and of words; whether a list
//          holds a candidate is one bit.
// New:     against threads, no id is compared: 64 numbers take an instruction for each list, and a candidate one load, far from
//          the last one or not. Results are counted without being made.
// Expect:  dense lists for counting at the speed of the cache that holds their bits, 32 · density times less than their ids take;
//          a few cycles for each id that is written, and for each candidate of a thin list.
// Limits:  lists with fewer than one id in 16 numbers go as in threads. The first call makes the bits, at most half as much memory
//          again as these lists take.
// Source:  Culpepper, Moffat 2010, "Efficient set intersection for inverted indexing"; Chambi et al. 2016, "Better bitmap
//          performance with Roaring bitmaps".

#include <bit>

#include "custom_kernels/intersect/detail/pair.h"
#include "custom_kernels/intersect/detail/pieces.h"
#include "lib/ops/intersect/kept_bits.h"

namespace tandem {
namespace {

constexpr std::int64_t kAlone = 1 << 18;  // candidates
constexpr int kWords = 64;                // taken at once, which an L1 cache keeps
constexpr int kLists = 8;                 // whose words are taken together
constexpr std::int64_t kCandidates = 4;   // to a word: where they are fewer and wanted, each asks for its bit

/// Writes the numbers of a word's bits, the first of which stands for `first`, to `to`, and returns how many they are.
inline std::int64_t write_numbers(std::uint64_t word, std::uint32_t first, std::uint32_t* to) {
  std::int64_t found = 0;
  for (; word != 0; word &= word - 1)
    to[found++] = first + static_cast<std::uint32_t>(std::countr_zero(word));
  return found;
}

/// What all of the lists hold from number `low` to `high`: how many, or themselves at `to`, unless that is null.
TANDEM_CLONES std::int64_t common(const BitList* lists, int count, std::uint32_t low, std::uint32_t high,
                                  std::uint32_t* to) {
  std::int64_t begin = low / 64, end = high / 64 + 1, found = 0;
  for (int l = 0; l < count; ++l) {
    begin = std::max(begin, lists[l].begin);
    end = std::min(end, lists[l].end);
  }
  for (; begin < end; begin += kWords) {
    const auto n = static_cast<int>(std::min<std::int64_t>(kWords, end - begin));
    std::uint64_t words[kWords];
    const std::uint64_t* left = lists[0].from(begin);
    std::copy_n(left, n, words);
    for (int l = 1; l < count; ++l) {
      const std::uint64_t* right = lists[l].from(begin);
      for (int w = 0; w < n; ++w) words[w] &= right[w];
    }
    if (begin == low / 64) words[0] &= ~std::uint64_t{0} << low % 64;
    if (begin + n == high / 64 + 1) words[n - 1] &= ~std::uint64_t{0} >> (63 - high % 64);
    for (int w = 0; w < n; ++w) {
      if (to)
        found += write_numbers(words[w], static_cast<std::uint32_t>((begin + w) * 64), to + found);
      else
        found += std::popcount(words[w]);
    }
  }
  return found;
}

/// Those of the n ids at x that the list holds: how many, or themselves at `to` as well, which may be x, unless it is null.
TANDEM_CLONES std::int64_t keep_set(const std::uint32_t* x, std::int64_t n, const BitList& list,
                                    std::uint32_t* to) {
  const auto number = [](std::int64_t word) { return static_cast<std::uint64_t>(word) * 64; };
  const auto holds = [&](std::uint32_t id) {
    return static_cast<std::int64_t>(*list.from(id / 64) >> id % 64 & 1);
  };
  std::int64_t i = std::lower_bound(x, x + n, number(list.begin)) - x, found = 0;
  n = std::lower_bound(x + i, x + n, number(list.end)) - x;
  if (!to) {
    for (; i < n; ++i) found += holds(x[i]);
    return found;
  }
  for (; i < n; ++i) {
    const std::uint32_t id = x[i];
    to[found] = id;
    found += holds(id);
  }
  return found;
}

/// Intersects a piece of query q, whose candidates start at index `first` of its shortest list.
template <class Args, class T>
std::int64_t answer_piece(const Args& a, const KeptBits* bits, std::int64_t q, std::int64_t first, T* to) {
  const PostingList<T> shortest = a.list(q, 0);
  const T* candidates = shortest.ids + first;
  std::int64_t n = std::min<std::int64_t>(a.piece, shortest.size - first), t = 1;
  const std::int64_t terms = a.terms_of(q), counted = a.counts ? terms - 1 : terms;  // not made, only counted

  const auto set_of = [&](std::int64_t l) { return bits ? (*bits)[a.number_of(q, l)] : BitList{}; };
  BitList dense[kLists];
  int count = 0;
  while (count < std::min<std::int64_t>(kLists, terms) && (dense[count] = set_of(count))) ++count;
  if (count > 1) {
    const bool only_count = a.counts && count == terms;
    const std::int64_t words = candidates[n - 1] / 64 - candidates[0] / 64 + 1;
    if (only_count) return common(dense, count, candidates[0], candidates[n - 1], nullptr);
    if (words <= n / kCandidates) {
      n = common(dense, count, candidates[0], candidates[n - 1], to);
      candidates = to;
      t = count;
    }
  }
  for (; t < terms && n > 0; ++t) {
    const BitList set = set_of(t);
    n = set ? keep_set(candidates, n, set, t == counted ? nullptr : to)
            : intersect_part(candidates, n, a.list(q, t), to);
    candidates = to;
  }
  if (candidates != to && !a.counts) std::copy_n(candidates, n, to);
  return n;
}

template <class C>
void kept_bits(const typename C::Args& a, Context& ctx) {
  const KeptBits* bits = a.index && has_dense_lists(*a.index) ? &tandem::kept_bits(*a.index) : nullptr;
  answer_pieces(a, ctx, kAlone, [&](std::int64_t q, std::int64_t first, auto* to) {
    return answer_piece(a, bits, q, first, to);
  });
}

REGISTER(
    Intersect, kept_bits,
    .note = "dense lists as bits that the index keeps: ands of words, and one bit for a candidate",
    .suits = [](const Intersect::Shape& shape) { return shape.dense; })

}  // namespace
}  // namespace tandem
