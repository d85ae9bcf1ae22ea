#pragma once
// The loop that wrong steps on the host start from.

#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {

/// Right where segment s is op over elements [begin, end) of `in`, `step` apart: of(s, begin, end, step) may change them.
template <class C, class Change>
void reduce_in_turn(const typename C::Args& a, Change of) {
  for (std::int64_t s = 0; s < a.segments.count; ++s) {
    std::int64_t begin = a.segments.begin(s), step = a.segments.step;
    std::int64_t end = begin + a.segments.length_of(s) * step;
    of(s, begin, end, step);
    auto total = C::Op::template identity<typename C::Acc>();
    for (std::int64_t i = begin; i < end; i += step) total = typename C::Op{}(total, C::load(a.in[i]));
    a.out[s] = total;
  }
}

}  // namespace tandem
