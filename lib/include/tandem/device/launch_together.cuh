#pragma once
// A grid whose blocks wait for each other.

#include "tandem/device/launch.cuh"

namespace tandem {

/// launch_early for a grid whose blocks all run at once, so that each may wait for any other (a cooperative
/// launch). A grid that does not fit is refused with an error instead of waiting forever: it has at most
/// blocks_per_multiprocessor(…) × ctx.multiprocessors() blocks, fewer in a green context.
template <class... P, class... A>
void launch_together(Context& ctx, std::int64_t blocks, int threads, std::size_t shared_bytes,
                     void (*kernel)(P...), A... args) {
  detail::launch<P...>(ctx, blocks, threads, shared_bytes, {.early = true, .together = true}, kernel,
                       args...);
}

}  // namespace tandem
