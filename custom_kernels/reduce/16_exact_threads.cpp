// Idea:    the exact sum on the CPU: mantissas are whole numbers, and those of one sign and exponent are added up as such,
//          in a word of their own. At the end all words come together in one long number, which is rounded once.
// New:     against exact, a word for each exponent: with 64 bits for sums of 24 there is nothing to carry while the
//          array is read. Doubles have two words, for either half of their mantissas.
// Expect:  a load, an addition and a store per word and element, in the first-level cache. Neighbours often share their
//          exponent, so they take tables in turn: an addition need not wait for the store before it.
// Limits:  one to a few microseconds for clearing and joining the tables.
// Source:  Neal 2015, "Fast exact summation using small and large superaccumulators".

#include <algorithm>
#include <cstdint>

#include "lib/core/workers.h"
#include "lib/ops/reduce/contract.h"
#include "lib/ops/reduce/exact_sum.h"

namespace tandem {
namespace {

constexpr std::int64_t kChunk = 1 << 15;  // elements that a thread claims at once
constexpr std::int64_t kAlone = 2;        // up to this many chunks one thread does all
constexpr std::int64_t kFew = 256;        // elements, for which no table is cleared

/// Sums of the mantissas of each sign and exponent.
template <class T>
struct Table {
  static constexpr int kExponents = FixedPoint<T>::kExponents, kCopies = 4;
  static constexpr int kHalves = sizeof(T) / 4, kHalf = 32;  // a half has so many bits; a float is one
  std::uint64_t sums[kCopies][kHalves][2 * kExponents] = {};

  void add(T x, int copy) {
    const FixedPoint<T> parts(x);
    auto* const at = &sums[copy][0][parts.bit + parts.negative * kExponents];
    if constexpr (kHalves == 1) {
      *at += static_cast<std::uint64_t>(parts.mantissa);
    } else {
      at[0] += static_cast<std::uint64_t>(parts.mantissa) & 0xffffffff;
      at[2 * kExponents] += static_cast<std::uint64_t>(parts.mantissa) >> kHalf;
    }
  }
  bool all_finite() const {
    for (const auto& copy : sums) {
      for (int negative : {0, 1}) {
        for (const auto& half : copy) {
          if (half[negative * kExponents + kExponents - 1]) return false;
        }
      }
    }
    return true;
  }
  void add_to(ExactSum<T>& sum) const {
    for (const auto& copy : sums) {
      for (int half = 0; half < kHalves; ++half) {
        for (int bit = 1; bit < kExponents - 1; ++bit) {
          sum.add(static_cast<std::int64_t>(copy[half][bit]), bit + half * kHalf);
          sum.add(-static_cast<std::int64_t>(copy[half][bit + kExponents]), bit + half * kHalf);
        }
      }
    }
    sum.carry();
  }
};

template <class C>
void exact_threads(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  if constexpr (Reduce::has_exact_sum<C>) {
    ExactSum<Acc> sum;
    bool all_finite = true;
    if (a.n <= kFew) {
      for (std::int64_t i = 0; i < a.n; ++i) {
        const FixedPoint<Acc> parts(C::load(a.in[i]));
        all_finite &= parts.finite();
        if (parts.finite()) sum.add(parts.negative ? -parts.mantissa : parts.mantissa, parts.bit);
      }
    } else {
      const std::int64_t chunks = (a.n + kChunk - 1) / kChunk;
      auto* const tables = ctx.scratch<Table<Acc>>(most_workers());
      auto* const used = ctx.scratch<bool>(most_workers());
      std::fill_n(used, most_workers(), false);
      parallel_for(chunks, {.most = 32, .alone = kAlone},
                   [&](std::int64_t begin, std::int64_t end, int worker) {
                     Table<Acc>& mine = tables[worker];
                     if (!used[worker]) mine = {}, used[worker] = true;
                     for (std::int64_t i = begin * kChunk; i < std::min(end * kChunk, a.n); ++i)
                       mine.add(C::load(a.in[i]), static_cast<int>(i % Table<Acc>::kCopies));
                   });
      for (int worker = 0; worker < most_workers(); ++worker) {
        if (!used[worker]) continue;
        all_finite &= tables[worker].all_finite();
        tables[worker].add_to(sum);
      }
    }
    Specials specials;
    for (std::int64_t i = 0; i < a.n && !all_finite; ++i) specials.add(C::load(a.in[i]));
    *a.out = sum.rounded(specials);
  }
}

// At most half a unit in the last place, once.
REGISTER(
    Reduce, exact_threads, .note = "the exact sum, rounded once: a word for each exponent",
    .depth = [](std::int64_t) { return 0.0; }, .refuses = Reduce::refuse_but_exact,
    .suits = [](const Reduce::Shape& s) { return s.portable; })

}  // namespace
}  // namespace tandem
