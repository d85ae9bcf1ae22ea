#pragma once
// Any functor over any number of arrays of any types, one pack of elements per thread: the kernel behind
// transform/custom/packs and behind tandem::transform for the functors of users (lib/tandem.cuh).

#include <algorithm>

#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {

/// Elements of a pack: 16 bytes of the widest type. One where a size is no power of two or exceeds 16.
template <class... T>
constexpr int kPackOf = ((sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0) && ...)
                            ? 16 / std::max({sizeof(T)...})
                            : 1;

template <int kCount, class T>
bool pack_aligned(const T* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(Pack<T, kCount>) == 0;
}

template <int kCount, bool kAligned, class T>
__device__ Pack<T, kCount> load_pack(const T* data) {
  if constexpr (kAligned) {
    return *reinterpret_cast<const Pack<T, kCount>*>(data);
  } else {
    Pack<T, kCount> pack;
#pragma unroll
    for (int k = 0; k < kCount; ++k) pack.values[k] = data[k];
    return pack;
  }
}

/// f over the elements of packs that are all loaded by now: a load behind a store would wait for it.
template <int kCount, class F, class Out, class... In>
__device__ void store_results(F& f, Out* out, const Pack<In, kCount>&... in) {
  Pack<Out, kCount> results;
#pragma unroll
  for (int k = 0; k < kCount; ++k) results.values[k] = f(in.values[k]...);
  *reinterpret_cast<Pack<Out, kCount>*>(out) = results;
}

/// Thread t takes pack t behind the first `head` elements, where out is aligned to a pack; kAligned: the
/// inputs too. What fills no pack is dealt out element by element.
template <bool kAligned, class F, class Out, class... In>
__global__ void transform_packs(F f, std::int64_t n, std::int64_t head, Out* out, const In*... in) {
  start_early();
  constexpr int kCount = kPackOf<Out, In...>;
  const std::int64_t thread = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t packs = (n - head) / kCount;
  const std::int64_t tail = head + packs * kCount;
  const std::int64_t i = head + thread * kCount;
  if (thread < packs) store_results<kCount>(f, out + i, load_pack<kCount, kAligned>(in + i)...);
  if (thread < head) out[thread] = f(in[thread]...);
  if (thread < n - tail) out[tail + thread] = f(in[tail + thread]...);
}

/// out[i] = f(in[i]...) for n > 0 elements, on the context's stream, in blocks of this many threads (at least
/// 16: the first block takes what fills no pack). out may be any of the inputs.
template <class F, class Out, class... In>
void transform_in_packs(Context& ctx, int threads, const F& f, std::int64_t n, Out* out, const In*... in) {
  constexpr int kCount = kPackOf<Out, In...>;
  std::int64_t head = 0;
  while (head < n && !pack_aligned<kCount>(out + head)) ++head;
  const bool aligned = (pack_aligned<kCount>(in + head) && ...);
  auto* kernel = aligned ? transform_packs<true, F, Out, In...> : transform_packs<false, F, Out, In...>;
  const std::int64_t blocks = std::max<std::int64_t>(1, ceil_div((n - head) / kCount, threads));
  launch_early(ctx, blocks, threads, 0, kernel, f, n, head, out, in...);
}

}  // namespace tandem
