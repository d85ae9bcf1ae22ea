// Adds up mixed words where they lie.

#include "lib/harness/digest.h"

#include <algorithm>

#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"
#include "tandem/operators.h"

namespace tandem::detail {
namespace {

constexpr int kThreads = 256, kBlocksPerMultiprocessor = 8;

/// splitmix64: each bit of the result depends on each bit of x.
__device__ std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/// Adds a number for each word and its place, in any order.
template <class Word>
__global__ void add_words(const Word* words, std::int64_t n, unsigned long long* sum) {
  std::uint64_t mine = 0;
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride)
    mine += mixed(mixed(std::uint64_t(i) + 0x9E3779B97F4A7C15u) + words[i]);
  mine = warp_reduce<Plus>(mine);
  if (threadIdx.x % kWarp == 0) atomicAdd(sum, static_cast<unsigned long long>(mine));
}

template <class Word>
std::uint64_t digest(Context& ctx, const void* data, std::size_t bytes) {
  const auto n = static_cast<std::int64_t>(bytes / sizeof(Word));
  std::uint64_t sum = 0;
  {
    const CallScope scope(ctx, "digest", Place::device);
    auto* there = ctx.scratch<unsigned long long>(1);
    ctx.fill(there, 0, sizeof sum);
    const std::int64_t blocks =
        std::min<std::int64_t>(ceil_div(n, kThreads), kBlocksPerMultiprocessor * ctx.multiprocessors());
    launch(ctx, blocks, kThreads, 0, add_words<Word>, static_cast<const Word*>(data), n, there);
    ctx.copy(&sum, there, sizeof sum);
  }
  ctx.synchronize();
  return sum;
}

}  // namespace

std::uint64_t digest_on_device(Context& ctx, const void* data, std::size_t bytes, std::size_t word) {
  if (bytes == 0) return 0;
  return word == 1   ? digest<std::uint8_t>(ctx, data, bytes)
         : word == 2 ? digest<std::uint16_t>(ctx, data, bytes)
         : word == 4 ? digest<std::uint32_t>(ctx, data, bytes)
                     : digest<std::uint64_t>(ctx, data, bytes);
}

}  // namespace tandem::detail
