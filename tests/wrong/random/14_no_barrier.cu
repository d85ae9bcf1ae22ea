// Wrong:   threads take cubics from shared memory before all of them are there.
// Caught:  the executor sees the race, and runs warps in other orders, too.

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Words, class Distribution>
__global__ void no_barrier_block(float* out, std::int64_t n, std::uint64_t offset, Words words,
                                 Distribution distribution) {
  __shared__ Shared<detail::Cubic, detail::kNormalCubics> cubics;
  for (int c = threadIdx.x; c < detail::kNormalCubics; c += kThreads) cubics[c] = detail::normal_cubics()[c];
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const auto word = words.template word<std::uint32_t>(offset + i);
  out[i] = distribution.from(detail::normal_quantile(word, [&](std::uint32_t c) { return cubics[c]; }));
}

template <class C>
void no_barrier(const typename C::Args& a, Context& ctx) {
  if constexpr (std::is_same_v<typename C::T, float>) {
    with_random<C>(
        a, [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
          if constexpr (!std::is_same_v<Distribution, Uniform<float>>) {
            launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, no_barrier_block<Words, Distribution>, a.out,
                   a.n, a.key.offset, words, distribution);
          }
        });
  }
}

std::string refuses(const Random::Shape& shape, CaseId id) {
  const bool normal = shape.kind == Random::Kind::normal || shape.kind == Random::Kind::log_normal;
  return normal && id.type == Type::f32 ? "" : "makes normal and log-normal floats alone";
}

REGISTER(Random, no_barrier, .note = "wrong on purpose", .refuses = refuses)

}  // namespace
}  // namespace tandem
