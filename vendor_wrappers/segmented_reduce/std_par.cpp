// needs: tbb
// std::reduce of each segment, with std::execution::unseq, in a loop over the segments with par, which libstdc++ runs on
// TBB.

#include <algorithm>
#include <execution>
#include <numeric>

#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void std_par(const typename C::Args& a, Context&) {
  using T = typename C::T;
  const SegmentedReduce::Layout& segments = a.segments;
  std::for_each(std::execution::par, a.out, a.out + segments.count, [&](T& result) {
    const std::int64_t s = &result - a.out;
    result = std::reduce(std::execution::unseq, a.in + segments.begin(s), a.in + segments.end(s),
                         C::Op::template identity<T>(), typename C::Op{});
  });
}

REGISTER(SegmentedReduce, std_par, .note = "std::reduce(unseq) in std::for_each(par)",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem
