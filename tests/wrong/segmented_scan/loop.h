#pragma once
// The loop that wrong steps on the host start from.

#include "custom_kernels/segmented_scan/detail/stretches.h"

namespace tandem {

/// Right where begins(i, is_begin) returns is_begin, and combine(running, x) applies the operator.
template <class C, class Begins, class Combine>
void scan_in_turn(const typename C::Args& a, Begins begins, Combine combine) {
  typename C::Acc running = a.init;
  for_stretches(a.segments, 0, a.segments.n, [&](std::int64_t from, std::int64_t to, bool) {
    for (std::int64_t i = from; i < to; ++i) {
      if (begins(i, i == from)) running = a.init;
      const auto next = combine(running, C::load(a.in[i]));
      a.out[i] = C::result(a.exclusive ? running : next);
      running = next;
    }
  });
}
template <class C, class Begins>
void scan_in_turn(const typename C::Args& a, Begins begins) {
  scan_in_turn<C>(a, begins, typename C::Op{});
}

/// Of keys as Key alone: right where begins(before, key) says whether they differ.
template <class C, class Key, class Begins>
void scan_keys(const typename C::Args& a, Begins begins) {
  scan_in_turn<C>(a, [&](std::int64_t i, bool is_begin) {
    if (a.segments.form != SegmentedScan::Form::keys || a.segments.keys.type != type_of<Key>) return is_begin;
    const auto* const keys = static_cast<const Key*>(a.segments.keys.data);
    return i == 0 || begins(keys[i - 1], keys[i]);
  });
}

}  // namespace tandem
