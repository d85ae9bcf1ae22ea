// Idea:    no comparisons: items are dealt out by a digit of 8 bits of their keys, the lowest digit first, into 256
//          places whose sizes were counted before. Dealing keeps the order of equal digits, so after the last one all
//          items are sorted.
// New:     against threads, a pass over the array for each digit instead of log2(n) rounds of comparisons. Each part
//          of the array counts and deals for itself. Only bits in which ranks differ take part: keys below 2^16 need
//          two passes, keys that are sorted already none.
// Expect:  for random keys of four bytes a pass that looks for these bits and four that read twice and write once;
//          nothing for a processor to guess.
// Limits:  moves every item once per digit, those of eight bytes up to eight times; writes to 256 places at once.
// Source:  Zagha, Blelloch 1991, "Radix sort for vector multiprocessors".

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "custom_kernels/sort/detail/digits.h"
#include "custom_kernels/sort/detail/passes.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;
constexpr std::int64_t kAlone = 1 << 14;  // up to so many items one thread does all
constexpr int kPartsPerThread = 2;        // so that a slow thread does not hold up all

using Counts = std::array<std::int64_t, kDigits>;

/// The parts that threads take one after the other.
struct Parts {
  std::int64_t n, count, size;
  explicit Parts(std::int64_t n)
      : n(n), count(n <= kAlone ? 1 : kPartsPerThread * most_workers()), size((n + count - 1) / count) {}
  /// Calls body(part, begin, end) for each.
  template <class Body>
  void for_each(const Body& body) const {
    parallel_for(count, {}, [&](std::int64_t first, std::int64_t last, int) {
      for (std::int64_t part = first; part < last; ++part)
        body(part, std::min(n, part * size), std::min(n, (part + 1) * size));
    });
  }
};

/// Where each part puts its first item of each digit: counts become offsets.
void place(Counts* of_part, std::int64_t parts) {
  std::int64_t offset = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    for (std::int64_t part = 0; part < parts; ++part) offset += std::exchange(of_part[part][digit], offset);
  }
}

template <bool kFloating, class Key, class Value>
void sort_by_digits(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const Parts parts(a.n);
  auto* ranks = ctx.scratch<Ranks<Key>>(parts.count);
  parts.for_each([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
    ranks[part] = ranks_of<kFloating>(a.keys, begin, end, a.order);
  });
  for (std::int64_t part = 1; part < parts.count; ++part) ranks[0].include(ranks[part]);
  if (ranks[0].rise) {  // sorted as they are
    return parts.for_each([&](std::int64_t, std::int64_t begin, std::int64_t end) {
      move_items(a.template in<Value>(), begin, end, a.template out<Value>());
    });
  }
  const Key varying = ranks[0].varying();
  const int lowest = std::countr_zero(varying), bits = static_cast<int>(std::bit_width(varying)) - lowest;
  const int passes = (bits + kDigitBits - 1) / kDigitBits;
  auto* counts = ctx.scratch<Counts>(parts.count);
  for_each_pass<Key, Value>(a, ctx, passes, false, [&](int pass, auto from, auto to) {
    // Digits of about the same number of bits.
    const int first = bits * pass / passes, width = bits * (pass + 1) / passes - first;
    const KeyDigit<Key, kFloating> digit(a.order, lowest + first, width);
    parts.for_each([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      Counts own{};
      count_digits(from.keys, begin, end, digit, own);
      counts[part] = own;
    });
    place(counts, parts.count);
    parts.for_each([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      deal_items(from, begin, end, digit, counts[part], to);
    });
  });
}

template <class C>
void radix(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    sort_by_digits<TypeTraits<typename C::T>::floating, typename C::Key, Value>(a, ctx);
  });
}

REGISTER(Sort, radix, .note = "by digits of 8 bits, the lowest first, on all threads")

}  // namespace
}  // namespace tandem
