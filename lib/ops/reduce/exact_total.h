#pragma once
// The exact sum of an array on the CPU, before it is rounded: what reduce/custom/exact_threads computes, and each rank of a
// communicator.

#include <algorithm>
#include <cstdint>

#include "lib/core/workers.h"
#include "lib/ops/reduce/contract.h"
#include "lib/ops/reduce/exact_sum.h"

namespace tandem {

/// Sums of the mantissas of each sign and exponent.
template <class T>
struct ExactTable {
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

/// A sum that is not rounded yet, and what it met besides finite numbers.
template <class T>
struct ExactTotal {
  ExactSum<T> sum;
  Specials specials;
};

/// Uses all threads, and scratch of the running call.
template <class C>
ExactTotal<typename C::Acc> exact_total(const typename C::T* in, std::int64_t n, Context& ctx) {
  using Acc = typename C::Acc;
  using Table = ExactTable<Acc>;
  constexpr std::int64_t kChunk = 1 << 15;  // elements that a thread claims at once
  constexpr std::int64_t kAlone = 2;        // up to this many chunks one thread does all
  constexpr std::int64_t kFew = 256;        // elements, for which no table is cleared
  ExactTotal<Acc> total;
  bool all_finite = true;
  if (n <= kFew) {
    for (std::int64_t i = 0; i < n; ++i) {
      const FixedPoint<Acc> parts(C::load(in[i]));
      all_finite &= parts.finite();
      if (parts.finite()) total.sum.add(parts.negative ? -parts.mantissa : parts.mantissa, parts.bit);
    }
  } else {
    const std::int64_t chunks = (n + kChunk - 1) / kChunk;
    auto* const tables = ctx.scratch<Table>(most_workers());
    auto* const used = ctx.scratch<bool>(most_workers());
    std::fill_n(used, most_workers(), false);
    parallel_for(chunks, {.most = 32, .alone = kAlone},
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   Table& mine = tables[worker];
                   if (!used[worker]) mine = {}, used[worker] = true;
                   for (std::int64_t i = begin * kChunk; i < std::min(end * kChunk, n); ++i)
                     mine.add(C::load(in[i]), static_cast<int>(i % Table::kCopies));
                 });
    for (int worker = 0; worker < most_workers(); ++worker) {
      if (!used[worker]) continue;
      all_finite &= tables[worker].all_finite();
      tables[worker].add_to(total.sum);
    }
  }
  for (std::int64_t i = 0; i < n && !all_finite; ++i) total.specials.add(C::load(in[i]));
  return total;
}

}  // namespace tandem
