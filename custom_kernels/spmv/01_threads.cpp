// Idea:    threads take pieces of the merge path, equally long if a row counts as one element more, wherever rows begin and
//          end. A piece adds up the rows that end in it, and keeps what it has of the one that goes on; afterwards these
//          carries are added in order.
// New:     against serial, all cores, whatever the lengths: one full row is shared out, and so are a million empty ones. In a
//          long row four sums at once hide how long an addition takes. Where short rows of unlike lengths follow each other, a
//          processor would guess wrong at the end of each: their products come first, all of 64 rows, then each row is a sum of
//          eight numbers of which a mask keeps its own, without a branch. That part is compiled for AVX2, too.
// Expect:  the bandwidth of the memory where x stays in the cache. Of short rows each takes a dozen instructions that no vector
//          shares. The result does not depend on the number of threads.
// Limits:  small matrices stay on one thread, because waking the others takes longer than the sums.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication".

#include <algorithm>
#include <cstring>

#include "custom_kernels/segmented_reduce/detail/shares.h"
#include "lib/core/target_clones.h"
#include "lib/ops/spmv/contract.h"

namespace tandem {
namespace {

/// Rows that are looked at together.
constexpr std::int64_t kTogether = 64;
/// Up to so many elements on average they are short.
template <class T>
constexpr std::int64_t kShort = 48 / sizeof(T);
/// Neighbours of unlike length among them, up to which the processor guesses well enough where rows end.
constexpr int kGuessed = kTogether / 4;
/// Below this a row takes one sum.
constexpr std::int64_t kFew = 8;
/// Products that are added up at once.
constexpr int kLanes = 8;

/// The products of elements [k, end), added up in four sums, few of them in one.
template <class C>
typename C::T sum_products(const typename C::Args& a, std::int64_t k, std::int64_t end) {
  using T = typename C::T;
  if (end - k < kFew) {
    T sum = 0;
    for (; k < end; ++k) sum += a.product(k);
    return sum;
  }
  T sums[4] = {};
  for (; k + 4 <= end; k += 4) {
    for (int lane = 0; lane < 4; ++lane) sums[lane] += a.product(k + lane);
  }
  T rest = 0;
  for (; k < end; ++k) rest += a.product(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

template <class T>
struct Lanes {
  using Word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef Word Words __attribute__((vector_size(kLanes * sizeof(T))));
  typedef T Half __attribute__((vector_size(kLanes / 2 * sizeof(T))));

  static void load(const void* from, Words& words) { std::memcpy(&words, from, sizeof words); }
  static T sum(const Words& words) {
    Half halves[2];
    std::memcpy(halves, &words, sizeof words);
    const Half sums = halves[0] + halves[1];
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
  }
  /// For each lane a word of ones, then one of zeros: from kLanes − n on a mask that keeps n lanes.
  struct Masks {
    Word words[2 * kLanes];
    constexpr Masks() : words{} { std::fill(words, words + kLanes, Word{-1}); }
  };
  static constexpr Masks kMasks{};
};

/// Neighbouring short rows of unlike lengths: all their products first.
template <class C>
[[gnu::flatten]] TANDEM_CLONES void store_short(const typename C::Args& a, std::int64_t first,
                                                std::int64_t last) {
  using T = typename C::T;
  using L = Lanes<T>;
  T products[kTogether * kShort<T> + kLanes];
  const std::int64_t begin = a.rows.begin(first), count = a.rows.end(last - 1) - begin;
  for (std::int64_t k = 0; k < count; ++k) products[k] = a.product(begin + k);
  std::fill_n(products + count, kLanes, T(0));
  const T* at = products;
  for (std::int64_t r = first; r < last; ++r) {
    const T* const end = products + (a.rows.end(r) - begin);
    typename L::Words words, mask;
    T sum = 0;
    for (; end - at > kLanes; at += kLanes) {
      L::load(at, words);
      sum += L::sum(words);
    }
    L::load(at, words);
    L::load(L::kMasks.words + kLanes - (end - at), mask);
    words &= mask;
    sum += L::sum(words);
    at = end;
    a.store(r, sum);
  }
}

/// Rows of other lengths than the one before.
TANDEM_CLONES int count_unlike(const SegmentedReduce::Layout& rows, std::int64_t first, std::int64_t last) {
  int unlike = 0;
  for (std::int64_t r = first + 1; r < last; ++r) unlike += rows.length_of(r) != rows.length_of(r - 1);
  return unlike;
}

template <class C>
void store_rows(const typename C::Args& a, std::int64_t first, std::int64_t last) {
  using T = typename C::T;
  for (std::int64_t next; first < last; first = next) {
    next = std::min(first + kTogether, last);
    std::int64_t k = a.rows.begin(first);
    const std::int64_t count = a.rows.end(next - 1) - k;
    if (count == 0) {
      for (std::int64_t r = first; r < next; ++r) a.store(r, T(0));
      continue;
    }
    if (count <= (next - first) * kShort<T> && count_unlike(a.rows, first, next) > kGuessed) {
      store_short<C>(a, first, next);
      continue;
    }
    for (std::int64_t r = first; r < next; ++r) {
      const std::int64_t end = a.rows.end(r);
      a.store(r, sum_products<C>(a, k, end));
      k = end;
    }
  }
}

template <class C>
void threads(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    reduce_shares<Plus, T>(
        a.rows, kPiece, ctx.scratch<PieceCarry<T>>(pieces_of(a.rows)),
        [&a](std::int64_t begin, std::int64_t end) { return sum_products<K>(a, begin, end); },
        [&a](std::int64_t r, T sum) { a.store(r, sum); },
        [&a](std::int64_t first, std::int64_t last) { store_rows<K>(a, first, last); });
  });
}

double depth(std::int64_t n) {
  return static_cast<double>(std::min(n, kPiece)) / 4 + 6 + static_cast<double>(n / kPiece + 1);
}

REGISTER(Spmv, threads, .note = "threads take equal shares of elements and rows", .depth = depth)

}  // namespace
}  // namespace tandem
