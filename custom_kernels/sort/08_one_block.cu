// Idea:    what one block can hold is read once, sorted digit by digit on chip, and written once.
// New:     against one_sweep, no counts before, nobody to look back to, and one launch for all passes: items stay in
//          registers, and change places through shared memory.
// Expect:  a launch and a trip to memory and back; per digit 4 rounds (up to 2,048 keys) or 16 in which lanes find each
//          other, and three exchanges through shared memory.
// Limits:  8,192 keys.
// Source:  Merrill, Grimshaw 2011, "High performance and scalable radix sorting", section 4.

#include "custom_kernels/sort/detail/digit_ranks.cuh"
#include "lib/ops/sort/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 512, kFew = 4, kMany = 16;  // items of a thread, as there are few or many
constexpr int kMost = kThreads * kMany;

/// Bytes of shared memory for each item that changes places: first its key, then its value.
template <class Key, class Value>
constexpr std::size_t exchange_bytes = Sort::Items<Key, Value>::kPairs && sizeof(Value) > sizeof(Key)
                                           ? sizeof(Value)
                                           : sizeof(Key);

/// Item ranks[k] of the tile becomes what was item k of this thread.
template <class T, class Ranks, int kItems>
__device__ void exchange(T (&items)[kItems], const std::uint32_t (&ranks)[kItems], const Ranks& tile) {
  auto memory = dynamic_shared<T>();
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) memory[ranks[k]] = items[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) items[k] = memory[tile.place(k)];
}

template <int kItems, class Key, class Value, bool kFloating>
__global__ void __launch_bounds__(kThreads) sort_block(Sort::Items<const Key, const Value> in, int n,
                                                       Sort::Items<Key, Value> out, KeyOrder<Key> order) {
  using Ranks = DigitRanks<kThreads, kItems>;
  __shared__ Shared<std::uint32_t, Ranks::kWarps * kDigits> of_warps;
  __shared__ Shared<std::uint32_t, Ranks::kWarps> totals;
  Ranks tile{of_warps, totals};
  start_early();
  Key keys[kItems];
  Value values[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const bool there = tile.place(k) < n;
    keys[k] = there ? in.keys[tile.place(k)] : Key(0);
    if constexpr (in.kPairs) values[k] = there ? in.values[tile.place(k)] : Value(0);
  }
  for (int bit = 0; bit < order.width; bit += kDigitBits) {
    const KeyDigit<Key, kFloating> digit(order, bit, min(kDigitBits, order.width - bit));
    std::uint32_t ranks[kItems];  // first digits, then places
    // What lies behind the array has the largest digit, and so stays behind all items.
#pragma unroll
    for (int k = 0; k < kItems; ++k) ranks[k] = tile.place(k) < n ? digit(keys[k]) : kDigits - 1u;
    tile.order(tile.count(ranks), ranks);
    exchange(keys, ranks, tile);
    if constexpr (in.kPairs) exchange(values, ranks, tile);
  }
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if (tile.place(k) >= n) continue;
    out.keys[tile.place(k)] = keys[k];
    if constexpr (out.kPairs) out.values[tile.place(k)] = values[k];
  }
}

template <class C>
void one_block(const typename C::Args& a, Context& ctx) {
  constexpr bool kFloating = std::is_floating_point_v<typename C::T>;
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    using Key = typename C::Key;
    const auto sort = [&]<int kItems>() {
      launch_early(ctx, 1, kThreads, kThreads * kItems * exchange_bytes<Key, Value>,
                   sort_block<kItems, Key, Value, kFloating>, a.template in<Value>(), int(a.n),
                   a.template out<Value>(), a.order);
    };
    a.n <= kThreads* kFew ? sort.template operator()<kFew>() : sort.template operator()<kMany>();
  });
}

REGISTER(
    Sort, one_block, .note = "what one block can hold: all digits on chip",
    .refuses = [](const Sort::Shape& shape, CaseId) -> std::string {
      return shape.n > kMost ? "one block holds 8,192 keys" : "";
    })

}  // namespace
}  // namespace tandem
