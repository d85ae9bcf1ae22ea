// Wrong:   stores of 16 bytes begin at the boundary before the array.
// Caught:  arrays that are not aligned to 16 bytes: what lies before them changes.

#include "custom_kernels/random/detail/pack_words.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class T, class Words, class Distribution>
__global__ void aligned_down_block(T* out, std::int64_t n, std::uint64_t offset, Words words,
                                   Distribution distribution) {
  using Pack = Pack<T>;
  auto* const packed = reinterpret_cast<Pack*>(reinterpret_cast<std::uintptr_t>(out) & ~std::uintptr_t{15});
  const std::int64_t p = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= ceil_div(n, Pack::kSize)) return;
  Pack results;
  for (int k = 0; k < Pack::kSize; ++k)
    results.values[k] = random_element(distribution, words, offset + p * Pack::kSize + k);
  if ((p + 1) * Pack::kSize <= n) {
    packed[p] = results;
  } else {
    for (std::int64_t i = p * Pack::kSize; i < n; ++i) out[i] = results.values[i - p * Pack::kSize];
  }
}

template <class C>
void aligned_down(const typename C::Args& a, Context& ctx) {
  with_random<C>(a,
                 [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
                   launch(ctx, ceil_div(a.n, kThreads * Pack<typename C::T>::kSize), kThreads, 0,
                          aligned_down_block<typename C::T, Words, Distribution>, a.out, a.n, a.key.offset,
                          words, distribution);
                 });
}

REGISTER(Random, aligned_down, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
