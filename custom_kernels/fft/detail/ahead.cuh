#pragma once
// Blocks that take one tile after the other, the next one on its way into shared memory while one is computed, or not.

#include <algorithm>

#include "custom_kernels/fft/detail/parts_line.cuh"
#include "tandem/device/async_copies.cuh"

namespace tandem {

/// Numbers of a thread: the first, and the distance to the next.
template <class T>
struct Strided {
  const Complex<T>* first;
  std::int64_t step;
};

/// Whether tiles are copied ahead: those of doubles. Of floats that was slower but in one case of tuning/staged.cu and tuning/tiles.cu.
template <class T>
inline constexpr bool kCopiesAhead = sizeof(T) == 8;

/// Calls work(tile, thread, v) for all tiles, shared out among the blocks; v: a thread's numbers, at from(tile, thread). With kAhead
/// each is copied by the thread that will hold it, into the first kHeld numbers of shared memory for each thread, so that none waits
/// for another. All threads of the block call it, and meet in work().
template <int kHeld, int kThreads, bool kAhead, class T, class From, class Work>
__device__ void for_each_tile(std::int64_t tiles, const From& from, const Work& work) {
  const SharedPart<T> staged{0};
  AsyncCopies<Complex<T>, kHeld> copies;
  const auto copy = [&](std::int64_t tile, int thread) {
    const Strided<T> numbers = from(tile, thread);
#pragma unroll
    for (int m = 0; m < kHeld; ++m)
      copies.copy(staged[thread + m * kThreads], numbers.first + m * numbers.step);
  };
  if (kAhead && blockIdx.x < tiles) copy(blockIdx.x, static_cast<int>(threadIdx.x));
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int thread = made_anew(static_cast<int>(threadIdx.x));
    Complex<T> v[kHeld];
    if constexpr (kAhead) {
      copies.wait();
#pragma unroll
      for (int m = 0; m < kHeld; ++m) v[m] = staged[thread + m * kThreads];
      if (tile + gridDim.x < tiles) copy(tile + gridDim.x, thread);
    } else {
      const Strided<T> numbers = from(tile, thread);
#pragma unroll
      for (int m = 0; m < kHeld; ++m) v[m] = numbers.first[m * numbers.step];
    }
    work(tile, thread, v);
  }
}

/// Where a block's parts begin in shared memory, behind the numbers of its next tile.
template <int kHeld, int kThreads, bool kAhead>
inline constexpr int kPartsBegin = kAhead ? 2 * kHeld* kThreads : 0;

/// Blocks that are to fit into the registers of a multiprocessor: half of them hold numbers, of threads that hold many.
template <class T, int kHeld, int kThreads>
inline constexpr int kTileBlocks = std::max(1, (kHeld * sizeof(T) > 64 ? 512 : 768) / std::max(kThreads, 32));

/// How many blocks run at once on a multiprocessor. More than 48 KiB of shared memory has to be asked for first.
template <auto kernel>
int resident_blocks(Context& ctx, int threads, std::size_t shared_bytes) {
#ifndef TANDEM_SIMT
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)),
             ctx, "cudaFuncSetAttribute");
#endif
  return blocks_per_multiprocessor(ctx, threads, shared_bytes, kernel);
}

/// Starts as many blocks as run at once, or as there are tiles. Kernel: known when this is compiled, so that the driver is asked once.
template <auto kernel, class... Args>
void launch_tiles(Context& ctx, std::int64_t tiles, int threads, std::size_t shared_bytes,
                  const Args&... args) {
  static const int per_multiprocessor = resident_blocks<kernel>(ctx, threads, shared_bytes);
  launch(ctx, std::min<std::int64_t>(tiles, std::int64_t{per_multiprocessor} * ctx.multiprocessors()),
         threads, shared_bytes, kernel, args...);
}

}  // namespace tandem
