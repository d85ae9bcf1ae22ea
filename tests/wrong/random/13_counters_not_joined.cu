// Wrong:   a pack that begins inside of a counter takes the words of that counter around, instead of the next one's.
// Caught:  offsets, and arrays, that do not begin where a counter does.

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class T>
__global__ void counters_not_joined_block(T* out, std::int64_t n, std::uint64_t offset, Philox philox) {
  const std::int64_t pack = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) * 4;
  const Philox::Words w = philox((offset + pack) / 4);
  for (int k = 0; k < 4 && pack + k < n; ++k) out[pack + k] = w.w[(offset + k) % 4];
}

template <class C>
void counters_not_joined(const typename C::Args& a, Context& ctx) {
  if constexpr (std::is_same_v<typename C::T, std::uint32_t>) {
    launch(ctx, ceil_div(a.n, 4 * kThreads), kThreads, 0, counters_not_joined_block<std::uint32_t>, a.out,
           a.n, a.key.offset, Philox(a.key.seed));
  }
}

std::string only_words(const Random::Shape& shape, CaseId id) {
  const bool words =
      id.type == Type::u32 && shape.kind == Random::Kind::uniform && shape.generator == Generator::philox;
  return words ? "" : "makes uniform words of 32 bits alone";
}

REGISTER(Random, counters_not_joined, .note = "wrong on purpose", .refuses = only_words)

}  // namespace
}  // namespace tandem
