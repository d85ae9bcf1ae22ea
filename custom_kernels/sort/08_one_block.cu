// Idea:    what one block can hold is read once, sorted digit by digit on chip, and written once.
// New:     against one_sweep, no counts before, nobody to look back to, and one launch for all passes: items stay in
//          registers, and change places through shared memory.
// Expect:  a launch and a trip to memory and back; per digit 4 rounds (up to 2,048 keys) or 16 in which lanes find each
//          other, and three exchanges through shared memory.
// Limits:  8,192 keys.
// Source:  Merrill, Grimshaw 2011, "High performance and scalable radix sorting", section 4.

#include "custom_kernels/sort/detail/block_sort.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512, kFew = 4, kMany = 16;  // items of a thread, as there are few or many
constexpr int kMost = kThreads * kMany;

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
  sort_registers<kFloating>(keys, values, n, order, tile);
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if (tile.place(k) >= n) continue;
    out.keys[tile.place(k)] = keys[k];
    if constexpr (out.kPairs) out.values[tile.place(k)] = values[k];
  }
}

template <class C>
void one_block(const typename C::Args& a, Context& ctx) {
  constexpr bool kFloating = TypeTraits<typename C::T>::floating;
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
