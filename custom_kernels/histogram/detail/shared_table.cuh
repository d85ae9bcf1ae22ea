#pragma once
// A block's table of 32-bit counters in shared memory, and the edges of the bins before it.

#include "lib/ops/histogram/contract.h"
#include "tandem/device/warp.cuh"

namespace tandem {

/// Adds to the count of the bin that a slot stands for.
template <class Args>
__device__ void add_to_bin(const Args& a, std::int32_t slot, unsigned long long count) {
  if (count == 0) return;
  const std::int32_t bin = a.bin_of(slot);
  if (bin < a.bins) atomicAdd(reinterpret_cast<unsigned long long*>(a.counts) + bin, count);
}

/// The slots [first, first + count), each with `copies` counters side by side. All threads of the block make it, and
/// merge it.
template <class C>
class SharedTable {
 public:
  using T = typename C::T;
  using Args = typename C::Args;
  using Edge = typename Args::Edge;
  static constexpr int kMost = 227 * 1024;  // bytes that a block may have

  /// Bytes for so many slots.
  static std::int64_t bytes(bool between, std::int64_t count, int copies = 1) {
    return bytes_before(between, count) + count * copies * std::int64_t{sizeof(std::uint32_t)};
  }

  __device__ SharedTable(const Args& a, std::int32_t first, std::int32_t count, int copies = 1)
      : a_(a),
        first_(first),
        count_(count),
        copies_(copies),
        copy_(int(threadIdx.x) % copies),
        before_(int(bytes_before(a.edges, count) / sizeof(std::uint32_t))) {
    if (before_ > 0) {
      const auto edges = dynamic_shared<Edge>();
      for (int b = threadIdx.x; b <= count; b += blockDim.x) edges[b] = a.edges[first + b];
    }
    for (int i = threadIdx.x; i < count * copies; i += blockDim.x) counter(i) = 0;
    __syncthreads();
  }

  /// The slot of x, counted from the first one; another number where it is none of these.
  __device__ std::uint32_t slot(T x) const {
    if constexpr (Args::kByValue)
      return x;
    else if (a_.edges)
      return bin_between(dynamic_shared<Edge>(), count_, static_cast<Edge>(x));
    else
      return a_.even(x) - first_;
  }
  /// Called by a thread. Of several copies the lane's own.
  __device__ void add(std::uint32_t slot, std::uint32_t count = 1) const {
    if (slot < std::uint32_t(Args::kByValue ? 256 : count_))
      atomicAdd(&counter(slot * copies_ + copy_), count);
  }

  /// Adds all to the result. Each thread begins at another copy, so that a warp reads from all banks.
  __device__ void merge() const {
    __syncthreads();
    for (int s = threadIdx.x; s < count_; s += blockDim.x) {
      unsigned long long sum = 0;
      for (int c = 0; c < copies_; ++c) sum += counter(s * copies_ + (s + c) % copies_);
      add_to_bin(a_, first_ + s, sum);
    }
  }

 private:
  TANDEM_HD static std::int64_t bytes_before(bool between, std::int64_t count) {
    return between && !Args::kByValue ? (count + 1) * std::int64_t{sizeof(Edge)} : 0;
  }
  __device__ std::uint32_t& counter(std::int32_t i) const {
    return dynamic_shared<std::uint32_t>()[before_ + i];
  }

  const Args& a_;
  const std::int32_t first_, count_, copies_, copy_, before_;
};

/// Why one table cannot hold them all.
inline std::string too_many_bins(const Histogram::Shape& shape, CaseId id) {
  std::int64_t bytes = 0;
  for_case<Histogram>(id, [&]<class C>() { bytes = SharedTable<C>::bytes(shape.between, shape.slots); });
  if (bytes <= SharedTable<Histogram::Case<float>>::kMost) return {};
  return std::to_string(shape.slots) + " bins take " + std::to_string(bytes) +
         " bytes of shared memory; a block has " + std::to_string(SharedTable<Histogram::Case<float>>::kMost);
}

/// As many blocks as the device holds at once, `most` of them on a multiprocessor; fewer where there are fewer pieces.
inline std::int64_t resident_blocks(const Context& ctx, std::int64_t pieces, std::int64_t most,
                                    std::int64_t bytes) {
  constexpr std::int64_t kShared = 228 * 1024, kTakenByEach = 1024;
  const std::int64_t here = std::min(most, std::max<std::int64_t>(1, kShared / (bytes + kTakenByEach)));
  return std::min(pieces, here * ctx.multiprocessors());
}

}  // namespace tandem
