// needs: tbb
// std::transform_inclusive_scan with std::execution::par, which libstdc++ runs on TBB, over pairs of a value and whether a
// segment begins: what the standard library offers for runs of keys. The values are taken from the pairs afterwards.

#include <algorithm>
#include <execution>
#include <numeric>

#include "custom_kernels/segmented_scan/detail/segmented.h"
#include "vendor_wrappers/segmented_scan/rivals.h"

namespace tandem {
namespace {

template <class C>
void std_par(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Pair = Part<typename C::Acc>;
  using Op = Segmented<typename C::Op>;
  constexpr auto policy = std::execution::par;
  const std::int64_t n = a.segments.n;
  auto* const pairs = ctx.scratch<Pair>(n);
  const auto scan = [&](auto begins) {
    std::transform_inclusive_scan(
        policy, a.in, a.in + n, pairs, Op{},
        [=](const T& x) {
          return Pair{C::load(x), begins(&x - a.in)};
        },
        Op::template identity<Pair>());
    std::for_each(policy, a.out, a.out + n, [&](T& result) {
      const std::int64_t i = &result - a.out;
      if (!a.exclusive)
        result = C::result(pairs[i].value);
      else
        result = C::result(begins(i) ? a.init : a.behind_init(pairs[i - 1].value));
    });
  };
  if (a.segments.form == SegmentedScan::Form::keys) {
    with_keys(a.segments.keys, [&]<class Word>(const Keys<Word>& keys) {
      scan([=](std::int64_t i) { return keys.begins(i); });
    });
  } else {
    scan([length = a.segments.length](std::int64_t i) { return i % length == 0; });
  }
}

REGISTER(SegmentedScan, std_par, .note = "std::transform_inclusive_scan(par) of pairs {value, flag}",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE), .refuses = refuse_offsets,
         .repeats = false)

}  // namespace
}  // namespace tandem
