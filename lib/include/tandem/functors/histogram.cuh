#pragma once
// histogram for functors of the user's own.

#include <algorithm>

#include "tandem/device/packs.cuh"
#include "tandem/functors/operands.cuh"
#include "tandem/histogram.h"

namespace tandem::detail {

constexpr int kOwnBinThreads = 512;
constexpr std::int64_t kOwnBinsInBlock = 12288;  // counters of 4 bytes in 48 KB of shared memory

/// As histogram/custom/packs: a table for each block in shared memory; of more bins than it holds, one in global memory.
template <bool kInBlock, class T, class B>
__global__ void __launch_bounds__(kOwnBinThreads)
    own_count_bins(B bin_of, const T* in, std::int64_t n, std::int64_t* counts, int bins) {
  using Counter = unsigned long long;
  auto* const all = reinterpret_cast<Counter*>(counts);
  const auto table = dynamic_shared<unsigned>();
  if constexpr (kInBlock) {
    for (int b = threadIdx.x; b < bins; b += kOwnBinThreads) table[b] = 0;
    __syncthreads();
  }
  const auto add = [&](const T& x) {
    const auto bin = static_cast<std::int64_t>(bin_of(x));
    if (bin < 0 || bin >= bins) return;
    if constexpr (kInBlock)
      atomicAdd(&table[bin], 1u);
    else
      atomicAdd(&all[bin], Counter(1));
  };
  if constexpr (kPackOf < T >> 1) {
    for_each_packed<kOwnBinThreads>(in, n, blockIdx.x, gridDim.x, add);
  } else {
    const std::int64_t stride = std::int64_t(gridDim.x) * kOwnBinThreads;
    for (std::int64_t i = std::int64_t(blockIdx.x) * kOwnBinThreads + threadIdx.x; i < n; i += stride)
      add(in[i]);
  }
  if constexpr (kInBlock) {
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += kOwnBinThreads) {
      if (table[b] > 0) atomicAdd(&all[b], Counter(table[b]));
    }
  }
}

/// Its arguments are checked.
template <class T, class B>
void own_histogram_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, const B& bin_of,
                             const View<std::int64_t>& counts) {
  static_assert(std::is_trivially_copyable_v<B>,
                "bin_of is copied to the device as it is: it must be trivially copyable");
  static_assert(std::is_trivially_copyable_v<T>, "elements on a device must be trivially copyable");
  constexpr std::int64_t kMostOfBlock = std::int64_t{1} << 31;  // elements, so that no counter overflows
  const CallScope call(ctx, "histogram/custom/packs");
  ctx.fill(counts.data, 0, static_cast<std::size_t>(counts.size) * sizeof *counts.data);
  if (in.size == 0) return;
  const bool in_block = counts.size <= kOwnBinsInBlock;
  auto* kernel = in_block ? own_count_bins<true, T, B> : own_count_bins<false, T, B>;
  const std::size_t bytes = in_block ? static_cast<std::size_t>(counts.size) * sizeof(unsigned) : 0;
  const std::int64_t wave = std::int64_t{4} * ctx.multiprocessors();  // as many as 48 KB each leave room for
  const std::int64_t blocks = std::max(std::min(ceil_div(in.size, kOwnBinThreads * std::int64_t{8}), wave),
                                       ceil_div(in.size, kMostOfBlock));
  launch(ctx, blocks, kOwnBinThreads, bytes, kernel, bin_of, in.data, in.size, counts.data,
         static_cast<int>(counts.size));
}

}  // namespace tandem::detail
