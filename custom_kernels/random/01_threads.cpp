// Idea:    threads share the numbers, and each makes its own by their definition.
// New:     against serial, all cores. No number needs another, so that there is nothing to agree on: with a
//          generator that keeps a state, each thread would need a state of its own, and the numbers would
//          depend on how many there are.
// Expect:  the time of serial, divided by the cores.
// Limits:  still a counter for each number.
// Source:  OpenMP 4.5, section 2.7.1, of the loop; Salmon and others 2011 of the numbers.

#include "lib/core/workers.h"
#include "lib/ops/random/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kFewest = 128;     // below this a plain loop is as fast
constexpr std::int64_t kPiece = 1 << 11;  // numbers that a thread takes at once
constexpr std::int64_t kAlone = 1 << 13;  // up to so many the calling thread makes by itself

template <class C>
void threads(const typename C::Args& a, Context&) {
  with_random<C>(a, [&](const auto& words, const auto& distribution) {
    parallel_for(a.n, {.size = kPiece, .most = 1 << 16, .alone = kAlone},
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t i = begin; i < end; ++i)
                     a.out[i] =
                         random_element(distribution, words, a.key.offset + static_cast<std::uint64_t>(i));
                 });
  });
}

REGISTER(
    Random, threads, .note = "threads share the loop",
    .suits = [](const Random::Shape& s) { return s.n >= kFewest; })

}  // namespace
}  // namespace tandem
