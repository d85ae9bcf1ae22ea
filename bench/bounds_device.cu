// The read bound of a GPU: every word is loaded once, 16 bytes at a time, and nothing else is done with it.

#include "bench/bounds.h"
#include "custom_kernels/common/kernel.cuh"

namespace tandem::command {
namespace {

constexpr int kThreads = 512;

__global__ void read_words(const ulonglong2* from, std::int64_t pairs, std::uint64_t* out) {
  std::uint64_t sum = 0;
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  for (; i + 3 * stride < pairs; i += 4 * stride) {
    const ulonglong2 a = from[i], b = from[i + stride], c = from[i + 2 * stride], d = from[i + 3 * stride];
    sum += (a.x ^ a.y) + (b.x ^ b.y) + (c.x ^ c.y) + (d.x ^ d.y);
  }
  for (; i < pairs; i += stride) sum += from[i].x ^ from[i].y;
  if (sum == 1) *out = sum;  // never, but the compiler cannot know
}

}  // namespace

void read_on_device(Context& ctx, const std::uint64_t* from, std::int64_t words, std::uint64_t* out) {
  static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kThreads, 0, read_words);
  launch(ctx, std::int64_t{per_multiprocessor} * ctx.multiprocessors(), kThreads, 0, read_words,
         reinterpret_cast<const ulonglong2*>(from), words / 2, out);
}

}  // namespace tandem::command
