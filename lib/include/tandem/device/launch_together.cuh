#pragma once
// A grid whose blocks wait for each other.

#include "tandem/device/launch.cuh"

namespace tandem {

/// launch_early for a grid whose blocks all run at once, so that each may wait for any other (a cooperative
/// launch). A grid that does not fit is refused with an error instead of waiting forever: it has at most
/// blocks_per_multiprocessor(…) × ctx.multiprocessors() blocks, fewer in a green context. The executor, which
/// runs one block after another, has no such launch.
template <class... P, class... A>
void launch_together(Context& ctx, std::int64_t blocks, int threads, std::size_t shared_bytes,
                     void (*kernel)(P...), A... args) {
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared_bytes)),
             ctx, "cudaFuncSetAttribute");
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(detail::grid(ctx, blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = static_cast<cudaStream_t>(ctx.stream());
  config.attrs = attributes;
  config.numAttrs = ctx.architecture() >= 90 ? 2 : 1;
  check_cuda(cudaLaunchKernelEx(&config, kernel, static_cast<P>(args)...), ctx, "launch");
}

}  // namespace tandem
