#pragma once
// transform for functors of the user's own, over any number of arrays of any trivially copyable types.

#include <algorithm>

#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"
#include "tandem/transform.h"

namespace tandem {

namespace detail {
/// Called by a thread: f over the elements of packs that are all loaded before the first result is stored,
/// because out may be one of the inputs, so that the compiler loads nothing ahead of a store.
template <int kCount, class F, class Out, class... In>
__device__ void store_results(F& f, Out* out, const Pack<In, kCount>&... in) {
  Pack<Out, kCount> results;
#pragma unroll
  for (int k = 0; k < kCount; ++k) results.values[k] = f(in.values[k]...);
  *reinterpret_cast<Pack<Out, kCount>*>(out) = results;
}

/// As transform/custom/packs: thread t computes pack t behind the first `head` elements, from where on `out`
/// is aligned; kAligned: the inputs too. The elements before the first pack and behind the last one fall to
/// the first threads.
template <bool kAligned, class F, class Out, class... In>
__global__ void transform_packs(F f, std::int64_t n, std::int64_t head, Out* out, const In*... in) {
  start_early();
  constexpr int kCount = kPackOf<Out, In...>;
  const std::int64_t thread = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t packs = (n - head) / kCount, tail = head + packs * kCount;
  const std::int64_t i = head + thread * kCount;
  if (thread < packs) store_results<kCount>(f, out + i, load_pack<Pack<In, kCount>, kAligned>(in + i)...);
  if (thread < head) out[thread] = f(in[thread]...);
  if (thread < n - tail) out[tail + thread] = f(in[tail + thread]...);
}
}  // namespace detail

/// What tandem::transform calls for a functor that is none of Tandem's; its arguments are checked.
template <class F, class Out, class... In>
void transform_any(Context& ctx, const F& f, const View<Out>& z, const Options& options,
                   const View<const In>&... in) {
  constexpr int kThreads = 256;  // few enough for a functor that needs all registers
  constexpr int kCount = detail::kPackOf<Out, In...>;
  if (!options.use.empty()) {
    throw InvalidArgument("transform: options.use is '" + std::string(options.use) +
                          "'; it must be empty for a functor of your own, which has one implementation");
  }
  const CallScope call(ctx, "transform/custom/packs");
  if (z.size == 0) return;
  std::int64_t head = 0;
  while (head < z.size && !detail::is_pack_aligned<kCount>(z.data + head)) ++head;
  const bool aligned = (detail::is_pack_aligned<kCount>(in.data + head) && ...);
  auto* kernel =
      aligned ? detail::transform_packs<true, F, Out, In...> : detail::transform_packs<false, F, Out, In...>;
  const std::int64_t blocks = std::max<std::int64_t>(1, ceil_div((z.size - head) / kCount, kThreads));
  launch_early(ctx, blocks, kThreads, 0, kernel, f, z.size, head, z.data, in.data...);
}

}  // namespace tandem
