#pragma once
// The segmented form of an operator (Schwartz 1980; Blelloch 1990): over pairs of a value and whether a segment begins.

#include "tandem/operators.h"

namespace tandem {

/// What a part of an array has. Moved by one access.
template <class T>
struct alignas(2 * sizeof(T)) Part {
  T value;      // op over its last segment
  bool begins;  // whether a segment begins in the part
};

/// Joins neighbouring parts: what lies before the beginning of a segment is forgotten. Associative, whatever Op is.
template <class Op>
struct Segmented {
  template <class P>
  TANDEM_HD static P identity() {
    return {Op::template identity<decltype(P::value)>(), false};
  }
  template <class T>
  TANDEM_HD Part<T> operator()(const Part<T>& a, const Part<T>& b) const {
    return {b.begins ? b.value : Op{}(a.value, b.value), a.begins || b.begins};
  }
};

}  // namespace tandem
