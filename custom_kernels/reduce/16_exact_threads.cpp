// Idea:    the exact sum on the CPU: mantissas are whole numbers, and those of one sign and exponent are added up as such,
//          in a word of their own. At the end all words come together in one long number, which is rounded once.
// New:     against exact, a word for each exponent: with 64 bits for sums of 24 there is nothing to carry while the
//          array is read. Doubles have two words, for either half of their mantissas.
// Expect:  a load, an addition and a store per word and element, in the first-level cache. Neighbours often share their
//          exponent, so they take tables in turn: an addition need not wait for the store before it.
// Limits:  one to a few microseconds for clearing and joining the tables.
// Source:  Neal 2015, "Fast exact summation using small and large superaccumulators".

#include "lib/ops/reduce/exact_total.h"

namespace tandem {
namespace {

/// The loop is in exact_total, by which the ranks of a communicator add up their parts, too.
template <class C>
void exact_threads(const typename C::Args& a, Context& ctx) {
  if constexpr (Reduce::has_exact_sum<C>) {
    auto total = exact_total<C>(a.in, a.n, ctx);
    *a.out = total.sum.rounded(total.specials);
  }
}

// At most half a unit in the last place, once.
REGISTER(
    Reduce, exact_threads, .note = "the exact sum, rounded once: a word for each exponent",
    .depth = [](std::int64_t) { return 0.0; }, .refuses = Reduce::refuse_but_exact,
    .suits = [](const Reduce::Shape& s) { return s.portable; })

}  // namespace
}  // namespace tandem
