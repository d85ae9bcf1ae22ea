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
#ifdef TANDEM_SIMT
  const std::int64_t most = std::int64_t{simt::settings().resident_blocks} * ctx.multiprocessors();
  if (blocks > most) {
    throw simt::KernelError(std::string(ctx.last().implementation) + ": " + std::to_string(blocks) +
                            " blocks that wait for each other; " + std::to_string(most) + " run at once");
  }
  simt::launch(
      dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads)), shared_bytes,
      std::string(ctx.last().implementation), [&] { kernel(args...); }, reinterpret_cast<const void*>(kernel),
      true);
#else
  detail::launch<P...>(ctx, blocks, threads, shared_bytes, {.early = true, .together = true}, kernel,
                       args...);
#endif
}

}  // namespace tandem
