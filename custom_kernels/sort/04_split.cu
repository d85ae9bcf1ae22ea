// Idea:    one scan per bit: elements whose bit is 0 go to the front, the others behind them, and both keep their
//          order. A scan of the zeros tells each element its place.
// New:     against bitonic, no comparisons, arrays of any length, and stable by itself.
// Expect:  for each of 32 bits three launches, two reads of all keys and a write of everything, in neighbouring places
//          for half of a warp's lanes each.
// Limits:  fewer than 2^32 keys; one block scans the counts of all tiles.
// Source:  Blelloch 1990, "Prefix sums and their applications", section 1.3.1 (split).

#include "custom_kernels/sort/detail/block_split.cuh"
#include "custom_kernels/sort/detail/passes.h"
#include "custom_kernels/sort/detail/scan_counts.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Key>
__global__ void count_zeros(const Key* keys, std::int64_t n, KeyOrder<Key> order, int bit,
                            std::uint32_t* zeros) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const int of_tile = __syncthreads_count(i < n && order.digit(keys[i], bit, 1) == 0);
  if (threadIdx.x == 0) zeros[blockIdx.x] = std::uint32_t(of_tile);
}

/// zeros: those before each tile, then those of all tiles.
template <class Key, class Value>
__global__ void split_tile(Sort::Items<const Key, const Value> from, std::int64_t n,
                           Sort::Items<Key, Value> to, KeyOrder<Key> order, int bit,
                           const std::uint32_t* zeros) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const Key key = i < n ? from.keys[i] : Key(0);
  const bool zero = i < n && order.digit(key, bit, 1) == 0;
  int of_tile;
  const std::int64_t before = zeros[blockIdx.x] + zeros_before<kThreads>(zero, of_tile);
  if (i >= n) return;
  const std::int64_t place = zero ? before : zeros[gridDim.x] + i - before;
  to.keys[place] = key;
  if constexpr (to.kPairs) to.values[place] = from.values[i];
}

template <class Key, class Value>
void split_by_bits(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const std::int64_t tiles = ceil_div(a.n, kThreads);
  auto* zeros = ctx.scratch<std::uint32_t>(tiles + 1);
  for_each_pass<Key, Value>(a, ctx, a.order.width, false, [&](int bit, auto from, auto to) {
    launch(ctx, tiles, kThreads, 0, count_zeros<Key>, from.keys, a.n, a.order, bit, zeros);
    launch(ctx, 1, kThreads, 0, scan_counts<kThreads>, zeros, tiles);
    launch(ctx, tiles, kThreads, 0, split_tile<Key, Value>, from, a.n, to, a.order, bit,
           static_cast<const std::uint32_t*>(zeros));
  });
}

template <class C>
void split(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { split_by_bits<typename C::Key, Value>(a, ctx); });
}

REGISTER(
    Sort, split, .note = "a scan per bit: zeros before ones",
    .refuses = [](const Sort::Shape& shape, CaseId) { return refuse_long(shape); })

}  // namespace
}  // namespace tandem
