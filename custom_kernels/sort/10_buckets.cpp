// Idea:    the highest digit first: items are dealt out into buckets that fit in a core's cache, and a thread sorts each of
//          them by itself, by all digits of up to 32 bits. Of more bits two digits leave hardly any keys that agree; few such
//          neighbours are put in order by insertion, many as a bucket of their own.
// New:     against radix, on the CPU, threads meet for one digit alone, and digits that decide nothing any more are not looked
//          at: of n random keys log2(n) bits do, whether a key has 32 or 64.
// Expect:  three reads of the array and a write for the first digit; then, in cache, a read, and one and a write for each other.
// Limits:  where most items share the highest bits in which any differ, all threads deal out their bucket once more.
// Source:  Polychroniou, Ross 2014, "A comprehensive study of main-memory partitioning and its application to large-scale
//          comparison- and radix-sort"; McIlroy, Bostic, McIlroy 1993, "Engineering radix sort".

#include <array>
#include <atomic>
#include <bit>
#include <span>
#include <utility>

#include "custom_kernels/sort/detail/digits.h"
#include "custom_kernels/sort/detail/passes.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;
constexpr std::int64_t kFew = 16;        // items that are sorted by insertion
constexpr std::int64_t kLong = 1 << 10;  // that pay for tables of all their digits
constexpr int kMostDigits = 4;
constexpr std::int64_t kCache = 1 << 18;   // bytes of items that one thread sorts
constexpr std::int64_t kBucket = 1 << 12;  // that a bucket of more should have
constexpr int kPartsPerThread = 2;         // so that a slow thread does not hold up all

/// Items that are to be sorted among themselves: they go from where they lie, which may be one of the other two, to `out`.
template <class Key, class Value>
struct Bucket {
  using Items = Sort::Items<Key, Value>;
  Sort::Items<const Key, const Value> from;
  std::int64_t n;
  Items out, spare;

  bool lie_in(const Items& items) const {
    return from.keys == items.keys || (Items::kPairs && from.values == items.values);
  }
  /// Where they may be dealt out to.
  const Items& elsewhere() const { return lie_in(spare) ? out : spare; }
  /// What lies at [begin, end) of `items`.
  Bucket part(const Items& items, std::int64_t begin, std::int64_t end) const {
    return {items.read_only() + begin, end - begin, out + begin, spare + begin};
  }
  void move_to(const Items& to) const { move_items(from, 0, n, to); }
};

/// Some neighbouring bits of ranks.
struct Bits {
  int from, count;
  /// The highest of those in which ranks differ, `most` at the most.
  template <class Key>
  Bits(Key varying, int most) {
    const int above = static_cast<int>(std::bit_width(varying));
    count = std::min(above - std::countr_zero(varying), most);
    from = above - count;
  }
  template <class Key>
  Key below() const {
    return static_cast<Key>((Key(1) << from) - 1);
  }
};
int width_of(std::int64_t n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))); }

/// Calls f.operator()<n>() for a number from 1 to kMost.
template <int kMost, class F>
void with_constant(int n, F&& f) {
  if constexpr (kMost > 1) {
    if (n < kMost) return with_constant<kMost - 1>(n, f);
  }
  f.template operator()<kMost>();
}

template <bool kFloating, class Key, class Value>
struct BucketSort {
  using Bucket = tandem::Bucket<Key, Value>;
  using Items = typename Bucket::Items;
  using Digit = KeyDigit<Key, kFloating>;
  using Counts = std::array<std::int64_t, kDigits>;

  KeyOrder<Key> order;
  std::int64_t parts;  // of what all threads deal out
  Counts* counts;      // of each
  Ranks<Key>* ranks;

  Digit digit_of(const Bits& bits) const { return {order, bits.from, bits.count}; }
  Key rank(Key key) const { return order.template rank_of<kFloating>(key); }

  /// By all threads.
  void sort(const Bucket& bucket) const {
    const auto each_part = [&](const auto& body) {
      const std::int64_t count = fits_in_cache(bucket.n) ? 1 : parts;
      parallel_for(count, {}, [&](std::int64_t first, std::int64_t last, int) {
        for (std::int64_t part = first; part < last; ++part)
          body(part, bucket.n * part / count, bucket.n * (part + 1) / count);
      });
    };
    std::fill_n(ranks, parts, Ranks<Key>{});
    each_part([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      ranks[part] = ranks_of<kFloating>(bucket.from.keys, begin, end, order);
    });
    Ranks<Key> all;
    for (std::int64_t part = 0; part < parts; ++part) all.include(ranks[part]);
    if (all.rise) {
      return each_part([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        move_items(bucket.from, begin, end, bucket.out);
      });
    }
    if (fits_in_cache(bucket.n)) return sort_in_cache(bucket, all.varying());
    const Bits bits = first_bits(all.varying(), bucket.n);
    each_part([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      counts[part] = {};
      count_digits(bucket.from.keys, begin, end, digit_of(bits), counts[part]);
    });
    std::array<std::int64_t, kDigits + 1> begins{};
    for (std::size_t d = 0; d < kDigits; ++d) {
      begins[d + 1] = begins[d];
      for (std::int64_t part = 0; part < parts; ++part)
        begins[d + 1] += std::exchange(counts[part][d], begins[d + 1]);
    }
    const Items& dealt = bucket.elsewhere();
    each_part([&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      deal_items(bucket.from, begin, end, digit_of(bits), counts[part], dealt);
    });
    const auto of_digit = [&](std::size_t d) { return bucket.part(dealt, begins[d], begins[d + 1]); };
    const auto is_large = [&](std::size_t d) {
      const std::int64_t n = of_digit(d).n;
      return n > bucket.n / (2 * most_workers()) && !fits_in_cache(n);
    };
    parallel_for(std::int64_t{1} << bits.count, {}, [&](std::int64_t first, std::int64_t last, int) {
      for (auto d = static_cast<std::size_t>(first); d < static_cast<std::size_t>(last); ++d) {
        if (!is_large(d)) sort_alone(of_digit(d), all.varying() & bits.below<Key>());
      }
    });
    for (std::size_t d = 0; d < kDigits; ++d) {
      if (is_large(d)) sort(of_digit(d));
    }
  }

  static bool fits_in_cache(std::int64_t n) {
    return n * std::int64_t{sizeof(Key) + (Items::kPairs ? sizeof(Value) : 0)} <= kCache;
  }
  /// Of one digit, so that buckets of n items are small.
  static Bits first_bits(Key varying, std::int64_t n) {
    return {varying, std::min(kDigitBits, width_of(n / kBucket))};
  }

  /// By one thread; ranks differ in these bits alone.
  void sort_alone(const Bucket& bucket, Key varying) const {
    if (varying == 0) return bucket.move_to(bucket.out);
    if (fits_in_cache(bucket.n)) return sort_in_cache(bucket, varying);
    const Bits bits = first_bits(varying, bucket.n);
    Counts begins{};
    count_digits(bucket.from.keys, 0, bucket.n, digit_of(bits), begins);
    to_begins(begins);
    const Items& dealt = bucket.elsewhere();
    deal_items(bucket.from, 0, bucket.n, digit_of(bits), begins, dealt);
    for (std::size_t d = 0; d < kDigits; ++d) {
      sort_alone(bucket.part(dealt, begins[d], d + 1 < kDigits ? begins[d + 1] : bucket.n),
                 varying & bits.below<Key>());
    }
  }

  void sort_in_cache(const Bucket& bucket, Key varying) const {
    if (bucket.n <= kFew) {
      bucket.move_to(bucket.out);
      return insert(bucket.out, bucket.n);
    }
    if (varying == 0) return bucket.move_to(bucket.out);
    const Bits all(varying, KeyOrder<Key>::kBits);
    if (all.count <= (bucket.n < kLong ? 2 : kMostDigits) * kDigitBits) return deal_out(bucket, all);
    const Ranks<Key> ranks_here = ranks_of<kFloating>(bucket.from.keys, 0, bucket.n, order);
    if (ranks_here.rise) return bucket.move_to(bucket.out);
    // Of n random keys hardly any agree in so many bits.
    const Bits bits(ranks_here.varying(), std::min(2 * kDigitBits, width_of(bucket.n) + 1));
    const auto rest = static_cast<Key>(ranks_here.varying() & bits.below<Key>());
    deal_out(bucket, bits);
    if (rest != 0) sort_runs(bucket, bits, rest);
  }

  /// What is dealt out: runs of items that agree in all bits from bits.from on.
  void sort_runs(const Bucket& bucket, const Bits& bits, Key rest) const {
    const Items& out = bucket.out;
    Key high = static_cast<Key>(rank(out.keys[0]) >> bits.from);
    for (std::int64_t begin = 0, end; begin < bucket.n; begin = end) {
      const Key of_run = high;
      for (end = begin + 1; end < bucket.n; ++end) {
        high = static_cast<Key>(rank(out.keys[end]) >> bits.from);
        if (high != of_run) break;
      }
      if (end - begin > kFew)
        sort_in_cache(bucket.part(out, begin, end), rest);
      else if (end - begin > 1)
        insert(out + begin, end - begin);
    }
  }

  /// By all digits of these bits, the lowest first.
  void deal_out(const Bucket& bucket, const Bits& bits) const {
    const int digits = (bits.count + kDigitBits - 1) / kDigitBits;
    const auto begin = [&](int d) { return bits.from + bits.count * d / digits; };
    const auto width = [&](int d) { return begin(d + 1) - begin(d); };
    std::array<std::array<std::uint32_t, kDigits>, kMostDigits> begins;
    for (int d = 0; d < digits; ++d) std::fill_n(begins[d].begin(), 1 << width(d), 0);
    with_constant<kMostDigits>(digits, [&]<int kCount>() {
      for (std::int64_t i = 0; i < bucket.n; ++i) {
        const Key own = rank(bucket.from.keys[i]);
        for (int d = 0; d < kCount; ++d) ++begins[d][(own >> begin(d)) & ((1u << width(d)) - 1)];
      }
    });
    // Digits in which any differ.
    int passes = 0, differ[kMostDigits];
    for (int d = 0; d < digits; ++d) {
      if (begins[d][(rank(bucket.from.keys[0]) >> begin(d)) & ((1u << width(d)) - 1)] == bucket.n) continue;
      to_begins(std::span(begins[d]).first(std::size_t{1} << width(d)));
      differ[passes++] = d;
    }
    // The last of them goes to `out`.
    auto from = bucket.from;
    Items to = passes % 2 == 1 ? bucket.out : bucket.spare,
          next = passes % 2 == 1 ? bucket.spare : bucket.out;
    if (bucket.lie_in(to)) {  // nobody can deal out to where he reads
      bucket.move_to(next);
      from = next.read_only();
    }
    for (int pass = 0; pass < passes; ++pass) {
      const int d = differ[pass];
      deal_items(from, 0, bucket.n, Digit(order, begin(d), width(d)), begins[d], to);
      from = to.read_only();
      std::swap(to, next);
    }
  }

  template <class Counts>
  static void to_begins(Counts&& counts) {
    typename std::remove_cvref_t<Counts>::value_type sum = 0;
    for (auto& count : counts) sum += std::exchange(count, sum);
  }

  void insert(const Items& items, std::int64_t n) const {
    for (std::int64_t i = 1; i < n; ++i) {
      const Key key = items.keys[i], own = rank(key);
      std::int64_t at = i;
      if (rank(items.keys[at - 1]) <= own) continue;
      [[maybe_unused]] Value value{};
      if constexpr (Items::kPairs) value = items.values[i];
      for (; at > 0 && own < rank(items.keys[at - 1]); --at) {
        items.keys[at] = items.keys[at - 1];
        if constexpr (Items::kPairs) items.values[at] = items.values[at - 1];
      }
      items.keys[at] = key;
      if constexpr (Items::kPairs) items.values[at] = value;
    }
  }
};

template <bool kFloating, class Key, class Value>
void sort_buckets(const Bucket<Key, Value>& all, const KeyOrder<Key>& order, Context& ctx) {
  using BucketSort = tandem::BucketSort<kFloating, Key, Value>;
  const std::int64_t parts = kPartsPerThread * most_workers();
  const BucketSort sort{order, parts, ctx.scratch<typename BucketSort::Counts>(parts),
                        ctx.scratch<Ranks<Key>>(parts)};
  sort.sort(all);
}

/// Writes the codes of keys; false where one of them is that of another key, too.
template <class Key>
bool encode(const Key* keys, std::int64_t begin, std::int64_t end, const KeyOrder<Key>& by, Key* codes) {
  const KeyOrder<Key> order = by;
  Key lost = 0;
#pragma omp simd reduction(| : lost)
  for (std::int64_t i = begin; i < end; ++i) {
    codes[i] = order.template code_of<true>(keys[i]);
    lost |= order.number_of(codes[i]) ^ keys[i];
  }
  return lost == 0;
}

/// Numbers are sorted as their codes, which are compared with less work, where these tell them again.
template <class Key, class Value>
bool sort_codes(const Bucket<Key, Value>& all, const KeyOrder<Key>& order, Context& ctx) {
  constexpr Pieces kPieces{.size = 1 << 15, .alone = 1 << 16};
  std::atomic<bool> tell = true;
  parallel_for(all.n, kPieces, [&](std::int64_t begin, std::int64_t end, int) {
    if (!encode(all.from.keys, begin, end, order, all.spare.keys)) tell = false;
  });
  if (!tell) return false;
  if constexpr (Bucket<Key, Value>::Items::kPairs) {
    parallel_for(all.n, kPieces, [&](std::int64_t begin, std::int64_t end, int) {
      std::copy(all.from.values + begin, all.from.values + end, all.spare.values + begin);
    });
  }
  sort_buckets<false>(Bucket<Key, Value>{all.spare.read_only(), all.n, all.out, all.spare},
                      KeyOrder<Key>{0, false, 0, order.begin, order.width}, ctx);
  parallel_for(all.n, kPieces, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) all.out.keys[i] = order.number_of(all.out.keys[i]);
  });
  return true;
}

template <class C>
void buckets(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr bool kFloating = TypeTraits<typename C::T>::floating;
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    const Bucket<Key, Value> all{a.template in<Value>(), a.n, a.template out<Value>(),
                                 scratch_items<Key, Value>(ctx, a.n)};
    if constexpr (kFloating) {
      if (sort_codes(all, a.order, ctx)) return;
    }
    sort_buckets<kFloating>(all, a.order, ctx);
  });
}

REGISTER(Sort, buckets, .note = "the highest digit first, on all threads; then buckets in cache")

}  // namespace
}  // namespace tandem
