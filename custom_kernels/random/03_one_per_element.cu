// Idea:    one thread for each number, by its definition.
// Expect:  neighbouring threads write neighbouring numbers. Arithmetic decides: ten rounds of two products
//          for a counter, and four threads, or two for numbers of 64 bits, go through the same counter.
// Limits:  three of four words are thrown away; Sobol's points take a step for each binary digit of their
//          number.
// Source:  Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class T, class Words, class Distribution>
__global__ void one_per_element_block(T* out, std::int64_t n, std::uint64_t offset, Words words,
                                      Distribution distribution) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) out[i] = random_element(distribution, words, offset + i);
}

template <class C>
void one_per_element(const typename C::Args& a, Context& ctx) {
  with_random<C>(a,
                 [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
                   launch(ctx, ceil_div(a.n, kThreads), kThreads, 0,
                          one_per_element_block<typename C::T, Words, Distribution>, a.out, a.n, a.key.offset,
                          words, distribution);
                 });
}

REGISTER(Random, one_per_element, .note = "one thread and one counter for each number")

}  // namespace
}  // namespace tandem
