// Idea:    one kernel counts the digits of all passes; then each pass reads every item once and writes it once. A tile
//          orders its items by their digit on chip, tells later tiles how many it has of each, and looks back over
//          what earlier ones told, digit by digit, for its places.
// New:     against four_bits, half of the passes, and no launch and no read between the counts of a pass and its
//          scatter. Ranks come from lanes that find each other by their digits, not from splits.
// Expect:  for keys of four bytes 9 n words: one read to count, four passes of a read and a write; five launches, which
//          start early. Writes leave a tile in up to 256 runs, of 30 keys on average.
// Limits:  fewer than 2^32 keys; a descriptor of eight bytes for each digit of each tile of 7,680 items; blocks must
//          start in index order, as those of scan's lookback.
// Source:  Adinets, Merrill 2022, "Onesweep: a faster least significant digit radix sort for GPUs".

#include "custom_kernels/sort/detail/digit_ranks.cuh"
#include "custom_kernels/sort/detail/passes.h"
#include "custom_kernels/sort/detail/scan_counts.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 384;
template <class Key>
constexpr int kItems = sizeof(Key) > 4
                           ? 14
                           : 20;  // of a thread; the longer a run of one digit, the fewer partial sectors
template <class Key>
constexpr int kTile = kThreads* kItems<Key>;
constexpr int kMostPasses = 8;

/// The digits of a call's passes, of about the same number of bits.
struct Passes {
  int count, width;
  __host__ __device__ int begin(int pass) const { return width * pass / count; }
  __host__ __device__ int bits(int pass) const { return begin(pass + 1) - begin(pass); }
};

/// counts: 256 for each pass.
template <class Key>
__global__ void count_all(const Key* keys, std::int64_t n, KeyOrder<Key> order, Passes passes,
                          std::uint32_t* counts) {
  __shared__ Shared<unsigned, kMostPasses * kDigits> own;
  for (int i = threadIdx.x; i < passes.count * kDigits; i += kThreads) own[i] = 0;
  __syncthreads();
  constexpr int kAtOnce = 8;  // keys that are on their way to a thread
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < n; i += kAtOnce * stride) {
    Key some[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) some[k] = i + k * stride < n ? keys[i + k * stride] : Key(0);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (i + k * stride >= n) break;
      for (int pass = 0; pass < passes.count; ++pass)
        atomicAdd(&own[pass * kDigits + order.digit(some[k], passes.begin(pass), passes.bits(pass))], 1u);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < passes.count * kDigits; i += kThreads) {
    if (own[i] > 0) atomicAdd(&counts[i], std::uint32_t(own[i]));
  }
}

/// counts: of this pass.
template <class Key, class Value>
__global__ void __launch_bounds__(kThreads)
    sweep(Sort::Items<const Key, const Value> from, std::int64_t n, Sort::Items<Key, Value> to,
          KeyOrder<Key> order, int bit, int bits, const std::uint32_t* counts, Epochs* state,
          Descriptor<std::uint32_t>* descriptors) {
  constexpr int kItems = tandem::kItems<Key>, kTile = tandem::kTile<Key>;
  using Ranks = DigitRanks<kThreads, kItems>;
  __shared__ Shared<std::uint32_t, Ranks::kWarps * kDigits> of_warps;
  __shared__ Shared<std::uint32_t, kDigits> starts;
  __shared__ Shared<std::uint32_t, Ranks::kWarps> totals;
  __shared__ Shared<std::uint32_t, kDigits> places;  // of each digit's first item, less its place in the tile
  Ranks tile{of_warps, starts, totals};
  const int t = threadIdx.x;
  const std::int64_t number = blockIdx.x, first = number * kTile;
  const int count = int(min(std::int64_t{kTile}, n - first));
  start_early();
  const unsigned epoch = state->running();

  // What lies behind the array has the largest digit, and stays behind all items.
  Key own[kItems];
  unsigned digits[kItems];
  std::uint32_t ranks[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k) own[k] = tile.place(k) < count ? from.keys[first + tile.place(k)] : Key(0);
#pragma unroll
  for (int k = 0; k < kItems; ++k)
    digits[k] = tile.place(k) < count ? order.digit(own[k], bit, bits) : kDigits - 1u;
  const std::uint32_t total = tile.count(digits);

  // Thread t tells of digit t and looks back for it; while earlier tiles tell, items find their places in the tile.
  const bool has_digit = t < kDigits;
  const std::uint32_t real = t == kDigits - 1 ? total - std::uint32_t(kTile - count) : total;
  Descriptor<std::uint32_t>* const descriptor = descriptors + number * kDigits + t;
  if (has_digit && number > 0) descriptor->publish(real, 2 * epoch);
  tile.order(total, digits, ranks);
  std::uint32_t before = 0;
  bool is_prefix = number == 0 || !has_digit;
  for (const auto* other = descriptor; !is_prefix;) {
    other -= kDigits;
    std::uint32_t value = 0;
    spin_until([&] { return other->read(epoch, value, is_prefix); });
    before += value;
  }
  if (has_digit) descriptor->publish(before + real, 2 * epoch + 1);
  const std::uint32_t start = tile.sum_before(has_digit ? counts[t] : 0);
  if (has_digit) places[t] = start + before - starts[t];

  // In the order of their digits, so that neighbouring lanes write neighbouring places.
  auto keys = dynamic_shared<Key>();
#pragma unroll
  for (int k = 0; k < kItems; ++k) keys[ranks[k]] = own[k];
  __syncthreads();
  std::uint32_t targets[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = t + k * kThreads;
    if (i >= count) continue;
    const Key key = keys[i];
    targets[k] = places[order.digit(key, bit, bits)] + std::uint32_t(i);
    to.keys[targets[k]] = key;
  }
  if constexpr (to.kPairs) {
    auto values = dynamic_shared<Value>();
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (tile.place(k) < count) values[ranks[k]] = from.values[first + tile.place(k)];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (const int i = t + k * kThreads; i < count) to.values[targets[k]] = values[i];
    }
  }
  if (t == 0) state->finish_block(epoch);
}

template <class Key, class Value>
void sweep_digits(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const Passes passes{int(ceil_div(a.order.width, kDigitBits)), a.order.width};
  const std::int64_t tiles = ceil_div(a.n, kTile<Key>);
  auto* counts = ctx.scratch<std::uint32_t>(passes.count * kDigits);
  auto* memory = ctx.state<std::byte>("sort/one_sweep", lookback_bytes<std::uint32_t>(tiles * kDigits));
  ctx.fill(counts, 0, std::size_t(passes.count) * kDigits * sizeof *counts);
  launch(ctx, min(tiles, std::int64_t{4} * ctx.multiprocessors()), kThreads, 0, count_all<Key>, a.keys, a.n,
         a.order, passes, counts);
  for_each_pass<Key, Value>(a, ctx, passes.count, false, [&](int pass, auto from, auto to) {
    launch_early(ctx, tiles, kThreads, kTile<Key> * exchange_bytes<Key, Value>, sweep<Key, Value>, from, a.n,
                 to, a.order, passes.begin(pass), passes.bits(pass),
                 static_cast<const std::uint32_t*>(counts + pass * kDigits),
                 reinterpret_cast<Epochs*>(memory), descriptors_in<std::uint32_t>(memory));
  });
}

template <class C>
void one_sweep(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { sweep_digits<typename C::Key, Value>(a, ctx); });
}

REGISTER(
    Sort, one_sweep, .note = "digits of eight bits, one pass each: decoupled look-back per digit",
    .refuses = [](const Sort::Shape& shape, CaseId) { return refuse_long(shape); })

}  // namespace
}  // namespace tandem
