// Wrong:   a word's first digits decide alone, where there are probabilities between theirs and the next ones.
// Caught:  some numbers of a hundred are too small.

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kDigits = 10;

template <class T>
__global__ void first_digits_alone_block(T* out, std::int64_t n, std::uint64_t offset, Philox philox,
                                         Poisson<T> poisson) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const auto word = philox.word<std::uint64_t>(offset + i);
  out[i] = poisson(word >> (64 - kDigits) << (64 - kDigits));
}

template <class C>
requires(detail::is_word<typename C::T>()) void first_digits_alone(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, first_digits_alone_block<T>, a.out, a.n, a.key.offset,
         Philox(a.key.seed), Poisson<T>(a.distribution.first));
}

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.kind == Random::Kind::poisson && shape.by_quantile() && shape.generator == Generator::philox
             ? ""
             : "makes Poisson numbers of Philox up to a mean of 64 alone";
}

REGISTER(Random, first_digits_alone, .note = "wrong on purpose", .refuses = refuses)

}  // namespace
}  // namespace tandem
