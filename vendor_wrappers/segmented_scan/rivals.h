#pragma once
// What rows of libraries share that scan by key.

#include "lib/ops/segmented_scan/contract.h"

namespace tandem {

/// Compares keys that are passed as their bits.
template <class Word>
struct SameKey {
  bool floating;
  TANDEM_HD bool operator()(Word a, Word b) const { return Keys<Word>{nullptr, floating}.same(a, b); }
};

/// An operator of one type, for libraries that pass it what only converts to elements.
template <class T, class Op>
struct Typed {
  TANDEM_HD T operator()(T a, T b) const { return Op{}(a, b); }
};

/// The key of an element where segments have one length.
struct SegmentOf {
  std::int64_t length;
  TANDEM_HD std::int64_t operator()(std::int64_t i) const { return i / length; }
};

/// A case that users cannot name is not worth what libraries take to compile.
template <class C>
inline constexpr bool kNamed = C::id.type != kBicyclic;

inline std::string refuse_offsets(const SegmentedScan::Shape& s, CaseId id) {
  if (id.type == kBicyclic) return "element type not compiled";
  return s.form == SegmentedScan::Form::offsets ? "takes keys or one length, not offsets" : "";
}
inline std::string take_keys_alone(const SegmentedScan::Shape& s, CaseId id) {
  if (id.type == kBicyclic) return "element type not compiled";
  return s.form == SegmentedScan::Form::keys ? "" : "takes keys alone";
}

}  // namespace tandem
