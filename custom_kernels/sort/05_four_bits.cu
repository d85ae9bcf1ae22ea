// Idea:    digits of four bits: count those of each tile, scan the counts digit by digit, and scatter each tile from
//          the offsets that it finds there.
// New:     against split, a quarter of the passes. A tile is first sorted by its digit in shared memory, by four
//          splits, so that neighbouring lanes write neighbouring places.
// Expect:  for each of eight digits three launches, two reads of all keys and a write of everything, in sixteen runs
//          per tile.
// Limits:  fewer than 2^32 keys; one block scans sixteen counts for each tile of 512 items.
// Source:  Satish, Harris, Garland 2009, "Designing efficient sorting algorithms for manycore GPUs".

#include "custom_kernels/sort/detail/block_split.cuh"
#include "custom_kernels/sort/detail/passes.h"
#include "custom_kernels/sort/detail/scan_counts.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;  // items of a tile
constexpr int kDigitBits = 4, kDigits = 1 << kDigitBits;

/// counts: those of digit 0 of all tiles, then those of digit 1, …
template <class Key>
__global__ void count_digits(const Key* keys, std::int64_t n, KeyOrder<Key> order, int from_bit, int bits,
                             std::uint32_t* counts) {
  __shared__ Shared<unsigned, kDigits> of_tile;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t;
  if (t < kDigits) of_tile[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&of_tile[order.digit(keys[i], from_bit, bits)], 1u);
  __syncthreads();
  if (t < kDigits) counts[std::int64_t(t) * gridDim.x + blockIdx.x] = of_tile[t];
}

template <class Key, class Value>
__global__ void scatter_tile(Sort::Items<const Key, const Value> from, std::int64_t n,
                             Sort::Items<Key, Value> to, KeyOrder<Key> order, int from_bit, int bits,
                             const std::uint32_t* offsets) {
  __shared__ Shared<Key, kThreads> keys;
  __shared__ Shared<int, kThreads> places;
  __shared__ Shared<int, kDigits> starts;
  const int t = threadIdx.x;
  const std::int64_t first = std::int64_t(blockIdx.x) * kThreads, i = first + t;
  // What lies behind the array has the largest digit, and stays behind all items.
  Key key = i < n ? from.keys[i] : Key(0);
  int place = t;
  const auto digit = [&] { return first + place < n ? order.digit(key, from_bit, bits) : kDigits - 1u; };
  for (int bit = 0; bit < bits; ++bit) {
    const bool zero = (digit() >> bit & 1) == 0;
    int zeros;
    const int before = zeros_before<kThreads>(zero, zeros);
    const int position = zero ? before : zeros + t - before;
    keys[position] = key;
    places[position] = place;
    __syncthreads();
    key = keys[t];
    place = places[t];
  }
  // Where the run of each digit begins.
  __syncthreads();
  places[t] = int(digit());
  __syncthreads();
  if (t == 0 || places[t - 1] != places[t]) starts[places[t]] = t;
  __syncthreads();
  if (first + t >= n) return;
  const std::int64_t at =
      std::int64_t(offsets[std::int64_t(places[t]) * gridDim.x + blockIdx.x]) + t - starts[places[t]];
  to.keys[at] = key;
  if constexpr (to.kPairs) to.values[at] = from.values[first + place];
}

template <class Key, class Value>
void sort_by_four_bits(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const std::int64_t tiles = ceil_div(a.n, kThreads);
  auto* counts = ctx.scratch<std::uint32_t>(kDigits * tiles + 1);
  const int passes = int(ceil_div(a.order.width, kDigitBits));
  for_each_pass<Key, Value>(a, ctx, passes, false, [&](int pass, auto from, auto to) {
    const int bit = pass * kDigitBits, bits = min(kDigitBits, a.order.width - bit);
    launch(ctx, tiles, kThreads, 0, count_digits<Key>, from.keys, a.n, a.order, bit, bits, counts);
    launch(ctx, 1, kThreads, 0, scan_counts<kThreads>, counts, kDigits * tiles);
    launch(ctx, tiles, kThreads, 0, scatter_tile<Key, Value>, from, a.n, to, a.order, bit, bits,
           static_cast<const std::uint32_t*>(counts));
  });
}

template <class C>
void four_bits(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { sort_by_four_bits<typename C::Key, Value>(a, ctx); });
}

REGISTER(
    Sort, four_bits, .note = "digits of four bits: histogram, scan, scatter",
    .refuses = [](const Sort::Shape& shape, CaseId) { return refuse_long(shape); })

}  // namespace
}  // namespace tandem
