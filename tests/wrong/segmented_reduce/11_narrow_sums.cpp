// Wrong:   half, bfloat16 and bytes are reduced in their own type, and widened at the end.
// Caught:  sums that leave its range or its bits.

#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void narrow_sums(const typename C::Args& a, Context&) {
  using Acc = typename C::Acc;
  const SegmentedReduce::Layout& segments = a.segments;
  for (std::int64_t s = 0; s < segments.count; ++s) {
    auto total = C::Op::template identity<Acc>();
    for (std::int64_t i = 0; i < segments.length_of(s); ++i) {
      const Acc x = C::load(a.in[segments.begin(s) + i * segments.step]);
      total = static_cast<Acc>(static_cast<typename C::T>(typename C::Op{}(total, x)));
    }
    a.out[s] = total;
  }
}

REGISTER(SegmentedReduce, narrow_sums, .note = "wrong on purpose", .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
