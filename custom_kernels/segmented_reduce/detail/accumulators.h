#pragma once
// A loop of the CPU over elements that lie side by side, with eight accumulators, sixteen of bytes, 256 bytes of them for long
// runs. Elements are widened to what they are accumulated in.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lib/core/target_clones.h"
#include "tandem/operators.h"

namespace tandem {

/// Accumulators of a run: few, so that it takes little to combine them; a vector of elements that are bytes.
template <class C>
constexpr int kLanes = sizeof(typename C::T) == 1 ? 16 : 8;

/// op over 2 · kHalf accumulators, the upper half with the lower one.
template <int kHalf, class Acc, class Op>
Acc join(Acc* lanes, const Op& op) {
  for (int lane = 0; lane < kHalf; ++lane) lanes[lane] = op(lanes[lane], lanes[lane + kHalf]);
  if constexpr (kHalf > 1)
    return join<kHalf / 2>(lanes, op);
  else
    return lanes[0];
}

/// Whether GCC may write a loop over few accumulators out. Sums of floats stay in registers then. Of comparisons with NaN, and of
/// halves that are widened, it would make no vectors; and of integers it makes vectors of whole blocks, which is slow, and of
/// int8 and uint8 the sums that GCC 12 makes at -O3 are wrong (`tandem check segmented_reduce` finds it).
template <class C>
constexpr bool kWrittenOut = C::id.op == OperatorId::plus&& std::is_floating_point_v<typename C::T>;

/// op over `blocks` blocks of kCount elements from `in` on.
template <class C, int kCount>
accumulator_t<typename C::T> reduce_blocks(const typename C::T* in, std::int64_t blocks) {
  using Acc = accumulator_t<typename C::T>;
  constexpr typename C::Op op;
  Acc lanes[kCount];
  std::fill(std::begin(lanes), std::end(lanes), C::Op::template identity<Acc>());
  for (; blocks > 0; --blocks, in += kCount) {
    if constexpr (kWrittenOut<C>) {
      for (int lane = 0; lane < kCount; ++lane) lanes[lane] = op(lanes[lane], static_cast<Acc>(in[lane]));
    } else {
#pragma GCC unroll 1
      for (int lane = 0; lane < kCount; ++lane) lanes[lane] = op(lanes[lane], static_cast<Acc>(in[lane]));
    }
  }
  return join<kCount / 2>(lanes, op);
}

/// op over the n elements from `in` on, best of few.
template <class C>
accumulator_t<typename C::T> reduce_few(const typename C::T* in, std::int64_t n) {
  using Acc = accumulator_t<typename C::T>;
  constexpr typename C::Op op;
  const std::int64_t blocks = n < 2 * kLanes<C> ? 0 : n / kLanes<C>;
  Acc total = blocks > 0 ? reduce_blocks<C, kLanes<C>>(in, blocks) : C::Op::template identity<Acc>();
  for (std::int64_t i = blocks * kLanes<C>; i < n; ++i) total = op(total, static_cast<Acc>(in[i]));
  return total;
}

/// The same, best of many: long runs have accumulators of 256 bytes, so that no element waits for the one before it.
template <class C>
[[gnu::flatten]] TANDEM_CLONES accumulator_t<typename C::T> reduce_many(const typename C::T* in,
                                                                        std::int64_t n) {
  constexpr int kWide = 256 / sizeof(accumulator_t<typename C::T>);
  const std::int64_t blocks = n / kWide;
  if (blocks < 4) return reduce_few<C>(in, n);
  const auto total = reduce_blocks<C, kWide>(in, blocks);
  return typename C::Op{}(total, reduce_few<C>(in + blocks * kWide, n - blocks * kWide));
}

/// The same, whatever n is.
template <class C>
accumulator_t<typename C::T> reduce_run(const typename C::T* in, std::int64_t n) {
  return n < 64 ? reduce_few<C>(in, n) : reduce_many<C>(in, n);
}

}  // namespace tandem
