// The read bound of a GPU: every word is loaded once, 16 bytes at a time, and nothing else is done with it.

#include "bench/measure/bounds.h"
#include "tandem/device/launch.cuh"

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

constexpr int kChains = 8;  // independent multiply-adds per thread
constexpr int kSteps = 4096;

template <class T>
__global__ void __launch_bounds__(kThreads) multiply_adds(T factor, T summand, double* out) {
  T chains[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) chains[c] = T(threadIdx.x + c);
#pragma unroll 8
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) chains[c] = chains[c] * factor + summand;
  }
  T sum = 0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += chains[c];
  if (sum == T(-1)) *out = double(sum);  // never, but the compiler cannot know
}

}  // namespace

double multiply_add_on_device(Context& ctx, Type type, double* out, bool run) {
  const std::int64_t blocks = std::int64_t{4} * 2048 / kThreads * ctx.multiprocessors();
  if (run && type == Type::f32)
    launch(ctx, blocks, kThreads, 0, multiply_adds<float>, 0.5f, 0.25f, out);
  else if (run)
    launch(ctx, blocks, kThreads, 0, multiply_adds<double>, 0.5, 0.25, out);
  return 2.0 * kSteps * kChains * kThreads * static_cast<double>(blocks);
}

void read_on_device(Context& ctx, const std::uint64_t* from, std::int64_t words, std::uint64_t* out) {
  static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kThreads, 0, read_words);
  launch(ctx, std::int64_t{per_multiprocessor} * ctx.multiprocessors(), kThreads, 0, read_words,
         reinterpret_cast<const ulonglong2*>(from), words / 2, out);
}

}  // namespace tandem::command
