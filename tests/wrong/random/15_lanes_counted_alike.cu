// Wrong:   all lanes of a warp whose numbers are accepted take the same next one, and those between nobody makes.
// Caught:  any array of more numbers than a warp has lanes: what is never written shows, and the executor sees the race.

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kNumbers = 256;  // of a warp, which is a block

template <class T>
__global__ void lanes_counted_alike_block(T* out, std::int64_t n, std::uint64_t offset, Philox philox,
                                          detail::PoissonRejection exact) {
  const std::int64_t first = std::int64_t(blockIdx.x) * kNumbers;
  const auto count = int(min(std::int64_t(kNumbers), n - first));
  int mine = int(threadIdx.x), next = kWarp;
  std::uint64_t attempt = 1;
  while (__any_sync(kAllLanes, mine < count)) {
    const auto x = exact.attempt(philox, offset + first + mine, attempt);
    const bool accepted = exact.surely(x) || (!exact.never(x) && exact.accepts(x));
    if (accepted && mine < count) out[first + mine] = static_cast<T>(x.k);
    const unsigned free = __ballot_sync(kAllLanes, accepted);
    mine = accepted ? next : mine;
    attempt = accepted ? 1 : attempt + 1;
    next += __popc(free);
  }
}

template <class C>
requires(detail::is_word<typename C::T>()) void lanes_counted_alike(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kNumbers), kWarp, 0, lanes_counted_alike_block<typename C::T>, a.out, a.n,
         a.key.offset, Philox(a.key.seed), detail::PoissonRejection(a.distribution.first));
}

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.by_quantile() ? "makes Poisson numbers above a mean of 64 alone" : "";
}

REGISTER(Random, lanes_counted_alike, .note = "wrong on purpose", .refuses = refuses)

}  // namespace
}  // namespace tandem
