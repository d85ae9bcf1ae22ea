// Wrong:   each tile publishes its prefix and then a flag, with no fence between them: on a GPU the flag
//          may become visible first.
// Caught:  each run on the executor gives the right answer, but the race detector sees that nothing orders
//          the write and the read of a prefix.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void missing_fence_tile(const typename C::T* in, std::int64_t n, typename C::T* out,
                                   bool exclusive, typename C::Acc init, typename C::Acc* prefixes,
                                   std::uint64_t* ready) {
  using T = typename C::Acc;
  if (threadIdx.x != 0) return;
  const std::int64_t tile = blockIdx.x;
  if (tile > 0) spin_until([&] { return load_relaxed(&ready[tile - 1]) == 1; });
  T running = tile > 0 ? prefixes[tile - 1] : init;
  for (std::int64_t i = tile * kThreads; i < min((tile + 1) * kThreads, n); ++i) {
    const T next = typename C::Op{}(running, C::load(in[i]));
    out[i] = C::result(exclusive ? running : next);
    running = next;
  }
  prefixes[tile] = running;
  store_relaxed(&ready[tile], 1);
}

template <class C>
void missing_fence(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles = ceil_div(a.n, kThreads);
  auto* prefixes = ctx.scratch<typename C::Acc>(tiles);
  auto* ready = ctx.scratch<std::uint64_t>(tiles);
  ctx.fill(ready, 0, static_cast<std::size_t>(tiles) * sizeof *ready);
  launch(ctx, tiles, kThreads, 0, missing_fence_tile<C>, a.in, a.n, a.out, a.exclusive, a.init, prefixes,
         ready);
}

REGISTER(Scan, missing_fence, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
