#pragma once
// A loop of the CPU over elements that lie side by side, with as many accumulators as its vectors have room for. Elements are
// widened to what they are accumulated in.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "tandem/operators.h"

namespace tandem {

/// Whether an element may be met twice.
template <class C>
constexpr bool kIdempotent = C::id.op == OperatorId::minimum || C::id.op == OperatorId::maximum;
/// Number of accumulators. GCC writes a loop over 16 out, and then makes no vectors of comparisons with NaN nor of halves that
/// are widened.
template <class C>
constexpr int kLanes = (kIdempotent<C> && std::is_floating_point_v<accumulator_t<typename C::T>>) ||
                               is_narrow_float<typename C::T>
                           ? 32
                           : 16;

/// op over 2 · kHalf accumulators, the upper half with the lower one.
template <int kHalf, class Acc, class Op>
Acc join(Acc* lanes, const Op& op) {
  for (int lane = 0; lane < kHalf; ++lane) lanes[lane] = op(lanes[lane], lanes[lane + kHalf]);
  if constexpr (kHalf > 1)
    return join<kHalf / 2>(lanes, op);
  else
    return lanes[0];
}

/// op over n elements from `in` on, as many as there are accumulators or more. Those left over at the end are met without a
/// branch, which random lengths would make the processor guess wrong: together with some before them, where that does no harm,
/// else with some behind them, which are left out, if they lie before `limit`.
template <class C>
[[gnu::noinline]] accumulator_t<typename C::T> reduce_many(const typename C::T* in, std::int64_t n,
                                                           const typename C::T* limit) {
  using T = typename C::T;
  using Acc = accumulator_t<T>;
  constexpr int kCount = kLanes<C>;
  Acc lanes[kCount];
  std::fill(std::begin(lanes), std::end(lanes), C::Op::template identity<Acc>());
  const auto op = [](Acc a, auto b) { return typename C::Op{}(a, static_cast<Acc>(b)); };
  const T* const end = in + n;
  for (; end - in >= kCount; in += kCount) {
    for (int lane = 0; lane < kCount; ++lane) lanes[lane] = op(lanes[lane], in[lane]);
  }
  if (in == end) return join<kCount / 2>(lanes, op);
  const int rest = static_cast<int>(end - in);
  if constexpr (kIdempotent<C>) {
    for (int lane = 0; lane < kCount; ++lane) lanes[lane] = op(lanes[lane], end[lane - kCount]);
  } else if (limit - in >= kCount) {
    for (int lane = 0; lane < kCount; ++lane)
      lanes[lane] = lane < rest ? op(lanes[lane], in[lane]) : lanes[lane];
  } else {
    for (int lane = 0; lane < rest; ++lane) lanes[lane] = op(lanes[lane], in[lane]);
  }
  return join<kCount / 2>(lanes, op);
}

/// The same of any n: of a few, one by one.
template <class C>
accumulator_t<typename C::T> reduce_run(const typename C::T* in, std::int64_t n, const typename C::T* limit) {
  using Acc = accumulator_t<typename C::T>;
  if (n >= kLanes<C>) return reduce_many<C>(in, n, limit);
  Acc total = C::Op::template identity<Acc>();
  for (std::int64_t i = 0; i < n; ++i) total = typename C::Op{}(total, static_cast<Acc>(in[i]));
  return total;
}

}  // namespace tandem
