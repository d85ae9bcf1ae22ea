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

/// What a pass that only reads finds out.
template <class Key>
struct Ranks {
  Key any = 0, all = static_cast<Key>(~Key(0));  // bits that any rank has, and that all have
  bool rise = true;                              // no rank is below the one before it

  Key varying() const { return any & ~all; }
  void include(const Ranks& other) {
    any |= other.any, all &= other.all;
    rise &= other.rise;
  }
};

template <class Key>
Ranks<Key> look_at(const Sort::ArgsOf<Key>& a, const Parts& parts, Context& ctx) {
  auto* of_part = ctx.scratch<Ranks<Key>>(parts.count);
  parts.for_each([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
    Ranks<Key> ranks;
    Key before = begin > 0 ? a.order.rank(a.keys[begin - 1]) : 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const Key rank = a.order.rank(a.keys[i]);
      ranks.include({rank, rank, before <= rank});
      before = rank;
    }
    of_part[part] = ranks;
  });
  for (std::int64_t part = 1; part < parts.count; ++part) of_part[0].include(of_part[part]);
  return of_part[0];
}

/// Sorted as they are.
template <class Key, class Value>
void copy_items(const Sort::ArgsOf<Key>& a, const Parts& parts) {
  const auto in = a.template in<Value>();
  const auto out = a.template out<Value>();
  parts.for_each([&](std::int64_t, std::int64_t begin, std::int64_t end) {
    if (out.keys != in.keys) std::copy(in.keys + begin, in.keys + end, out.keys + begin);
    if constexpr (out.kPairs) {
      if (out.values != in.values) std::copy(in.values + begin, in.values + end, out.values + begin);
    }
  });
}

/// Where each part puts its first item of each digit: counts become offsets.
void place(Counts* of_part, std::int64_t parts) {
  std::int64_t offset = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    for (std::int64_t part = 0; part < parts; ++part) offset += std::exchange(of_part[part][digit], offset);
  }
}

template <class Key, class Value>
void sort_by_digits(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const Parts parts(a.n);
  const Ranks<Key> ranks = look_at(a, parts, ctx);
  if (ranks.rise) return copy_items<Key, Value>(a, parts);
  const int lowest = std::countr_zero(ranks.varying()), bits = std::bit_width(ranks.varying()) - lowest;
  const int passes = (bits + kDigitBits - 1) / kDigitBits;
  auto* counts = ctx.scratch<Counts>(parts.count);
  for_each_pass<Key, Value>(a, ctx, passes, false, [&](int pass, auto from, auto to) {
    // Digits of about the same number of bits.
    const int first = bits * pass / passes, width = bits * (pass + 1) / passes - first;
    const auto digit = [&, order = a.order](Key key) { return order.digit(key, lowest + first, width); };
    parts.for_each([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      Counts own{};
      for (std::int64_t i = begin; i < end; ++i) ++own[digit(from.keys[i])];
      counts[part] = own;
    });
    place(counts, parts.count);
    parts.for_each([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      Counts next = counts[part];
      for (std::int64_t i = begin; i < end; ++i) {
        const Key key = from.keys[i];
        const std::int64_t at = next[digit(key)]++;
        to.keys[at] = key;
        if constexpr (to.kPairs) to.values[at] = from.values[i];
      }
    });
  });
}

template <class C>
void radix(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { sort_by_digits<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, radix, .note = "by digits of 8 bits, the lowest first, on all threads")

}  // namespace
}  // namespace tandem
