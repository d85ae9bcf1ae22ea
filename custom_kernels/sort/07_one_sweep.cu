// Idea:    one kernel counts the digits of all passes; then each pass reads every item once and writes it once. A tile
//          orders its items by their digit on chip, tells later tiles how many it has of each, and looks back over
//          what earlier ones told, digit by digit, for its places.
// New:     against four_bits, half of the passes, and no launch and no read between the counts of a pass and its
//          scatter. Ranks come from lanes that find each other by their digits, not from splits.
// Expect:  for keys of four bytes 9 n words: one read to count, four passes of a read and a write; five launches, which
//          start early. Writes leave a tile in up to 256 runs, of 32 keys on average.
// Limits:  fewer than 2^32 keys; a descriptor of eight bytes for each digit of each tile of 8,192 keys; blocks must
//          start in index order, as those of scan's lookback.
// Source:  Adinets, Merrill 2022, "Onesweep: a faster least significant digit radix sort for GPUs".

#include "custom_kernels/sort/detail/digit_ranks.cuh"
#include "custom_kernels/sort/detail/passes.h"
#include "custom_kernels/sort/detail/scan_counts.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

constexpr int kCountThreads = 512;
// Threads of a block that sweeps, and items of a thread. The more, the longer a run and the fewer partial sectors; but two
// blocks are to share a multiprocessor.
template <class Key, class Value>
struct Form {
  static constexpr bool kPairs = Sort::Items<Key, Value>::kPairs;
  static constexpr std::size_t kBytes = sizeof(Key) + (kPairs ? sizeof(Value) : 0);
  static constexpr int kThreads = sizeof(Key) == 4 && kPairs ? 512 : 320;
  static constexpr int kItems = sizeof(Key) > 4 ? 16 : kBytes > 8 ? 12 : kBytes > 4 ? 16 : 28;
  static constexpr int kTile = kThreads * kItems;
  using Ranks = DigitRanks<kThreads, kItems>;
};
constexpr int kAhead = 4;  // descriptors that a look-back reads at once
constexpr int kMostPasses = 8;

/// The digits of a call's passes: the first `longer` of them have a bit more than the others.
struct Passes {
  int count, least, longer;
  __host__ __device__ int begin(int pass) const { return pass * least + (pass < longer ? pass : longer); }
  __host__ __device__ int bits(int pass) const { return least + (pass < longer ? 1 : 0); }
};

/// The digits of keys[t + k · kCountThreads] for all passes, counted in `own`; `left` keys are there.
template <bool kWhole, int kAtOnce, bool kFloating, class Key>
__device__ void count_chunk(const Key* keys, std::int64_t left, KeyOrder<Key> order, Passes passes,
                            Shared<unsigned, kMostPasses * kDigits>& own) {
  Key some[kAtOnce];  // on their way together
  const auto there = [left](int k) { return kWhole || std::int64_t(threadIdx.x) + k * kCountThreads < left; };
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) some[k] = there(k) ? keys[threadIdx.x + k * kCountThreads] : Key(0);
  for (int pass = 0; pass < passes.count; ++pass) {
    const KeyDigit<Key, kFloating> digit(order, passes.begin(pass), passes.bits(pass));
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (there(k)) atomicAdd(&own[pass * kDigits + int(digit(some[k]))], 1u);
    }
  }
}

/// counts: 256 for each pass.
template <class Key, bool kFloating>
__global__ void count_all(const Key* keys, std::int64_t n, KeyOrder<Key> order, Passes passes,
                          std::uint32_t* counts) {
  __shared__ Shared<unsigned, kMostPasses * kDigits> own;
  for (int i = threadIdx.x; i < passes.count * kDigits; i += kCountThreads) own[i] = 0;
  __syncthreads();
  constexpr int kAtOnce = 8, kChunk = kAtOnce * kCountThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kChunk; i < n; i += std::int64_t(gridDim.x) * kChunk) {
    if (i + kChunk <= n)
      count_chunk<true, kAtOnce, kFloating>(keys + i, kChunk, order, passes, own);
    else
      count_chunk<false, kAtOnce, kFloating>(keys + i, n - i, order, passes, own);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < passes.count * kDigits; i += kCountThreads) {
    if (own[i] > 0) atomicAdd(&counts[i], std::uint32_t(own[i]));
  }
}

/// One pass over a tile that is whole, so that nobody asks where the array ends, or over the last one. counts: of this pass.
template <bool kWhole, class Key, class Value, bool kFloating>
__device__ void sweep_tile(Sort::Items<const Key, const Value> from, std::int64_t n,
                           Sort::Items<Key, Value> to, const KeyDigit<Key, kFloating>& digit,
                           const std::uint32_t* counts, Epochs* state, Descriptor<std::uint32_t>* descriptors,
                           typename Form<Key, Value>::Ranks tile, Shared<std::uint32_t, kDigits>& places) {
  using Form = tandem::Form<Key, Value>;
  constexpr int kThreads = Form::kThreads, kItems = Form::kItems, kTile = Form::kTile;
  const int t = threadIdx.x;
  const bool has_digit = t < kDigits;
  const std::int64_t number = blockIdx.x, first = number * kTile;
  const int count = kWhole ? kTile : int(n - first);
  const auto there = [count](int i) { return kWhole || i < count; };
  const unsigned epoch = state->running();
  const std::uint32_t in_array = has_digit ? counts[t] : 0;

  // What lies behind the array has the largest digit, and stays behind all items.
  Key own[kItems];
  std::uint32_t ranks[kItems];  // first digits, then places in the tile
#pragma unroll
  for (int k = 0; k < kItems; ++k) own[k] = there(tile.place(k)) ? from.keys[first + tile.place(k)] : Key(0);
#pragma unroll
  for (int k = 0; k < kItems; ++k) ranks[k] = there(tile.place(k)) ? digit(own[k]) : kDigits - 1u;
  const std::uint32_t in_tile = tile.count(ranks);

  // Thread t tells of digit t and looks back for it; while earlier tiles tell, items find their places in the tile.
  const std::uint32_t real = t == kDigits - 1 ? in_tile - std::uint32_t(kTile - count) : in_tile;
  if (has_digit && number > 0) descriptors[number * kDigits + t].publish(real, 2 * epoch);
  const std::uint32_t start_in_tile = tile.order(in_tile, ranks);
  auto keys = dynamic_shared<Key>();
#pragma unroll
  for (int k = 0; k < kItems; ++k) keys[ranks[k]] = own[k];
  auto values = dynamic_shared<Value>();
  constexpr int kValues = kTile * sizeof(Key) / sizeof(Value);  // where they begin: behind the keys
  if constexpr (to.kPairs) {
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (there(tile.place(k))) values[kValues + ranks[k]] = from.values[first + tile.place(k)];
    }
  }
  std::uint32_t before = 0;
  bool is_prefix = number == 0 || !has_digit;
  for (std::int64_t last = number - 1; !is_prefix; last -= kAhead) {
    Descriptor<std::uint32_t> seen[kAhead];  // some of them, it may be, too early
#pragma unroll
    for (int d = 0; d < kAhead; ++d)
      seen[d] = descriptors[max(last - d, std::int64_t{0}) * kDigits + t].seen();
#pragma unroll
    for (int d = 0; d < kAhead; ++d) {
      if (is_prefix) break;
      std::uint32_t value = 0;
      if (!seen[d].holds(epoch, value, is_prefix))
        spin_until([&] { return descriptors[(last - d) * kDigits + t].read(epoch, value, is_prefix); });
      before += value;
    }
  }
  if (has_digit) descriptors[number * kDigits + t].publish(before + real, 2 * epoch + 1);
  const std::uint32_t start = tile.sum_before(in_array);
  if (has_digit) places[t] = start + before - start_in_tile;

  // In the order of their digits, so that neighbouring lanes write neighbouring places.
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = t + k * kThreads;
    if (!there(i)) continue;
    const Key key = keys[i];
    const std::uint32_t target = places[digit(key)] + std::uint32_t(i);
    to.keys[target] = key;
    if constexpr (to.kPairs) to.values[target] = values[kValues + i];
  }
  if (t == 0) state->finish_block(epoch);
}

template <class Key, class Value, bool kFloating>
__global__ void __launch_bounds__(Form<Key, Value>::kThreads, 2)
    sweep(Sort::Items<const Key, const Value> from, std::int64_t n, Sort::Items<Key, Value> to,
          KeyOrder<Key> order, int bit, int bits, const std::uint32_t* counts, Epochs* state,
          Descriptor<std::uint32_t>* descriptors) {
  using Ranks = typename Form<Key, Value>::Ranks;
  __shared__ Shared<std::uint32_t, Ranks::kWarps * kDigits> of_warps;
  __shared__ Shared<std::uint32_t, Ranks::kWarps> totals;
  __shared__ Shared<std::uint32_t, kDigits> places;  // of each digit's first item, less its place in the tile
  const Ranks tile{of_warps, totals};
  const KeyDigit<Key, kFloating> digit(order, bit, bits);
  start_early();
  if (std::int64_t{blockIdx.x + 1} * Form<Key, Value>::kTile <= n)
    sweep_tile<true>(from, n, to, digit, counts, state, descriptors, tile, places);
  else
    sweep_tile<false>(from, n, to, digit, counts, state, descriptors, tile, places);
}

template <class Key, class Value, bool kFloating>
void sweep_digits(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const int count = int(ceil_div(a.order.width, kDigitBits));
  const Passes passes{count, a.order.width / count, a.order.width % count};
  using Form = tandem::Form<Key, Value>;
  const std::int64_t tiles = ceil_div(a.n, Form::kTile);
  auto* counts = ctx.scratch<std::uint32_t>(count * kDigits);
  auto* memory = ctx.state<std::byte>("sort/one_sweep", lookback_bytes<std::uint32_t>(tiles * kDigits));
  ctx.fill(counts, 0, std::size_t(count) * kDigits * sizeof *counts);
  launch(ctx, min(tiles, std::int64_t{4} * ctx.multiprocessors()), kCountThreads, 0,
         count_all<Key, kFloating>, a.keys, a.n, a.order, passes, counts);
  for_each_pass<Key, Value>(a, ctx, count, false, [&](int pass, auto from, auto to) {
    launch_early(ctx, tiles, Form::kThreads, Form::kTile * Form::kBytes, sweep<Key, Value, kFloating>, from,
                 a.n, to, a.order, passes.begin(pass), passes.bits(pass),
                 static_cast<const std::uint32_t*>(counts + pass * kDigits),
                 reinterpret_cast<Epochs*>(memory), descriptors_in<std::uint32_t>(memory));
  });
}

template <class C>
void one_sweep(const typename C::Args& a, Context& ctx) {
  constexpr bool kFloating = TypeTraits<typename C::T>::floating;
  Sort::with_values(a.value_bytes,
                    [&]<class Value>() { sweep_digits<typename C::Key, Value, kFloating>(a, ctx); });
}

REGISTER(
    Sort, one_sweep, .note = "digits of eight bits, one pass each: decoupled look-back per digit",
    .refuses = [](const Sort::Shape& shape, CaseId) { return refuse_long(shape); })

}  // namespace
}  // namespace tandem
