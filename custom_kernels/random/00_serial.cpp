// Idea:    each number by its definition, in one loop: the words of its counter, of which one or two are
//          used, and what the distribution makes of them.
// Expect:  one core's arithmetic: 20 products of 32 bits for a counter, four times as many as the numbers
//          need.
// Limits:  one core; three of four words are thrown away.
// Source:  Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".

#include "lib/ops/random/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  with_random<C>(a, [&](const auto& words, const auto& distribution) {
    for (std::int64_t i = 0; i < a.n; ++i)
      a.out[i] = random_element(distribution, words, a.key.offset + static_cast<std::uint64_t>(i));
  });
}

REGISTER(Random, serial, .note = "one loop, a counter for each number")

}  // namespace
}  // namespace tandem
