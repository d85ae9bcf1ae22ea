// needs: tbb
// std::transform_reduce of each segment, with std::execution::unseq, in a loop over the segments with par, which libstdc++ runs on
// TBB.

#include <algorithm>
#include <execution>
#include <numeric>

#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void std_par(const typename C::Args& a, Context&) {
  using Acc = typename C::Acc;
  const SegmentedReduce::Layout& segments = a.segments;
  std::for_each(std::execution::par, a.out, a.out + segments.count, [&](Acc& result) {
    const std::int64_t s = &result - a.out;
    result = std::transform_reduce(std::execution::unseq, a.in + segments.begin(s), a.in + segments.end(s),
                                   C::Op::template identity<Acc>(), typename C::Op{}, typename C::Load{});
  });
}

REGISTER(SegmentedReduce, std_par, .note = "std::transform_reduce(unseq) in std::for_each(par)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
