// Wrong:   begins with the identity of the elements, not of what they are accumulated in: 127 for the minimum of int8.
// Caught:  empty segments.

#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void narrow_identity(const typename C::Args& a, Context&) {
  using T = typename C::T;
  using First = std::conditional_t<is_narrow_float<T>, typename C::Acc, T>;  // infinities are the same
  const SegmentedReduce::Layout& segments = a.segments;
  for (std::int64_t s = 0; s < segments.count; ++s) {
    auto total = static_cast<typename C::Acc>(C::Op::template identity<First>());
    for (std::int64_t i = 0; i < segments.length_of(s); ++i)
      total = typename C::Op{}(total, C::load(a.in[segments.begin(s) + i * segments.step]));
    a.out[s] = total;
  }
}

REGISTER(SegmentedReduce, narrow_identity, .note = "wrong on purpose", .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
