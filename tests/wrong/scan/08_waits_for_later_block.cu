// Wrong:   tiles are assigned in reverse order, so the first blocks wait for blocks that may never start. A
//          kernel that looks back must take its tiles in the order in which blocks start.
// Caught:  the executor reports a wait that nothing can end as a deadlock.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void waits_for_later_block_tile(const typename C::T* in, std::int64_t n, typename C::T* out,
                                           bool exclusive, typename C::Acc init, typename C::Acc* prefixes,
                                           std::uint64_t* ready) {
  using T = typename C::Acc;
  if (threadIdx.x != 0) return;
  const std::int64_t tile = gridDim.x - 1 - blockIdx.x;
  if (tile > 0) spin_until([&] { return load_relaxed(&ready[tile - 1]) == 1; });
  __threadfence();
  T running = tile > 0 ? prefixes[tile - 1] : init;
  for (std::int64_t i = tile * kThreads; i < min((tile + 1) * kThreads, n); ++i) {
    const T next = typename C::Op{}(running, C::load(in[i]));
    out[i] = C::result(exclusive ? running : next);
    running = next;
  }
  prefixes[tile] = running;
  __threadfence();
  store_relaxed(&ready[tile], 1);
}

template <class C>
void waits_for_later_block(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles = ceil_div(a.n, kThreads);
  auto* prefixes = ctx.scratch<typename C::Acc>(tiles);
  auto* ready = ctx.scratch<std::uint64_t>(tiles);
  ctx.fill(ready, 0, static_cast<std::size_t>(tiles) * sizeof *ready);
  launch(ctx, tiles, kThreads, 0, waits_for_later_block_tile<C>, a.in, a.n, a.out, a.exclusive, a.init,
         prefixes, ready);
}

REGISTER(Scan, waits_for_later_block, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
