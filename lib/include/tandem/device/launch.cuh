#pragma once
// What every .cu file starts from: launching and shared memory. The same file is compiled by nvcc for the GPU
// and by the host compiler for the SIMT executor; this header is where the two differ.

#include <cstdint>
#include <string>

#include "tandem/context.h"
#include "tandem/error.h"

#ifdef TANDEM_SIMT
#include "lib/simt/cuda.h"
#include "lib/simt/shared.h"
#else
#include <cuda_runtime.h>
#endif

namespace tandem {

// CallScope call(ctx, "app/my_kernel") makes what follows a call of its own: scratch starts anew, the device
// is current, and errors and profilers name it. Kernels that are launched by an operation's implementation
// run in one already. launch(ctx, blocks, threads, shared_bytes, kernel, args…) starts a grid on the
// context's stream and checks it. launch_early(…) does the same, but lets the blocks of the grid take their
// places while the grid before it in the stream drains, which hides most of what a launch costs (Hopper and
// later; elsewhere it is launch). Its kernel begins with start_early(), before which no thread may touch
// global memory, or calls wait_for_grid_before() (wait_for_grid.cuh) later. blocks_per_multiprocessor(ctx,
// threads, shared_bytes, kernel) says how many blocks run at once on each: times ctx.multiprocessors(), a grid
// of one wave. It asks the driver, so keep the answer in a static. A launch takes at most 2^31 − 1 blocks, and
// says so.
// block_size(threads, most) is `threads`, unless a trace on the executor asks for another power of two up to
// `most`.

namespace detail {
inline unsigned grid(const Context& ctx, std::int64_t blocks) {
  constexpr std::int64_t kMost = 0x7fffffff;
  if (blocks > kMost) {
    throw InvalidArgument(std::string(ctx.last().implementation) + ": needs " + std::to_string(blocks) +
                          " blocks; a launch takes at most " + std::to_string(kMost));
  }
  return static_cast<unsigned>(blocks);
}

struct LaunchOptions {
  bool early = false, together = false;
  unsigned cluster = 0;  // blocks of one; 0: no clusters
};
}  // namespace detail

#ifdef TANDEM_SIMT

namespace detail {
template <class... P>
void launch(Context& ctx, std::int64_t blocks, int threads, std::size_t shared_bytes, LaunchOptions options,
            void (*kernel)(P...), P... args) {
  const std::string implementation(ctx.last().implementation);
  const std::int64_t most = std::int64_t{simt::settings().resident_blocks} * ctx.multiprocessors();
  if (options.together && blocks > most) {
    throw simt::KernelError(implementation + ": " + std::to_string(blocks) +
                            " blocks that wait for each other; " + std::to_string(most) + " run at once");
  }
  simt::launch(
      dim3(grid(ctx, blocks)), dim3(static_cast<unsigned>(threads)), shared_bytes, implementation,
      [&] { kernel(args...); }, reinterpret_cast<const void*>(kernel), options.early, options.together,
      options.cluster);
}
}  // namespace detail

inline void start_early() {}

template <class... P>
int blocks_per_multiprocessor(Context&, int, std::size_t, void (*)(P...)) {
  return simt::settings().resident_blocks;
}

inline int block_size(int threads, int most = 1024) {
  const int asked = simt::settings().block;
  if (asked == 0) return threads;
  if (asked < 1 || asked > most || (asked & (asked - 1)) != 0) {
    throw InvalidArgument("block of " + std::to_string(asked) +
                          " threads: this kernel takes powers of two up to " + std::to_string(most));
  }
  return asked;
}

#else

/// Throws DeviceError for a failed CUDA call, naming the implementation that the context runs and the call.
inline void check_cuda(cudaError_t code, const Context& ctx, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // clears it, so that the context stays usable
  throw DeviceError(std::string(ctx.last().implementation) + ": " + call, code, cudaGetErrorString(code));
}

namespace detail {
template <class... P>
void launch(Context& ctx, std::int64_t blocks, int threads, std::size_t shared_bytes, LaunchOptions options,
            void (*kernel)(P...), P... args) {
  if (shared_bytes > 0) {  // with what the kernel declares, it may be more than 48 KiB
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)),
               ctx, "cudaFuncSetAttribute");
  }
  cudaLaunchAttribute attributes[3];
  unsigned count = 0;
  if (options.early && ctx.architecture() >= 90) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (options.together) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  if (options.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {options.cluster, 1, 1};
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid(ctx, blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = static_cast<cudaStream_t>(ctx.stream());
  config.attrs = attributes;
  config.numAttrs = count;
  check_cuda(cudaLaunchKernelEx(&config, kernel, args...), ctx, "launch");
}
}  // namespace detail

/// Lets the next grid's blocks come, and waits for the grid before this one and its writes (programmatic
/// dependent launch, CUDA C++ Programming Guide).
__device__ inline void start_early() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

template <class... P>
int blocks_per_multiprocessor(Context& ctx, int threads, std::size_t shared_bytes, void (*kernel)(P...)) {
  int blocks = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes), ctx,
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

constexpr int block_size(int threads, int = 1024) { return threads; }

/// A shared array: `__shared__ Shared<T, 32> tile;` or, for tile[r][c], `Shared<T, 32, 33>`. On the executor
/// it checks bounds and is poisoned for each block.
template <class T, int N, int... Columns>
struct Shared {
  T values[N];
  __device__ T& operator[](std::int64_t i) { return values[i]; }
};
template <class T, int Rows, int Columns>
struct Shared<T, Rows, Columns> {
  T values[Rows][Columns];
  __device__ T* operator[](std::int64_t row) { return values[row]; }
};

/// The block's dynamic shared memory as elements of T.
template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char dynamic_shared_memory[];
  return reinterpret_cast<T*>(dynamic_shared_memory);
}

#endif

template <class... P, class... A>
void launch(Context& ctx, std::int64_t blocks, int threads, std::size_t shared_bytes, void (*kernel)(P...),
            A... args) {
  detail::launch<P...>(ctx, blocks, threads, shared_bytes, {}, kernel, args...);
}

template <class... P, class... A>
void launch_early(Context& ctx, std::int64_t blocks, int threads, std::size_t shared_bytes,
                  void (*kernel)(P...), A... args) {
  detail::launch<P...>(ctx, blocks, threads, shared_bytes, {.early = true}, kernel, args...);
}

TANDEM_HD constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace tandem
