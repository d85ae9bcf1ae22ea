// Idea:    what one block can hold is sorted on chip, and the first k are written.
// New:     against sampled, one launch in all and no block to wait for: sort's one_block with positions that nobody reads.
// Expect:  a launch, a read, and for each digit of eight bits what lanes need to find each other.
// Limits:  8,192 keys.
// Source:  Merrill, Grimshaw 2011, "High performance and scalable radix sorting", section 4.

#include "custom_kernels/sort/detail/block_sort.cuh"
#include "lib/ops/top_k/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 512, kFew = 4, kMany = 16;  // keys of a thread, as there are few or many
constexpr int kMost = kThreads * kMany;

/// Position: Sort::NoValue where they are not asked for.
template <int kItems, class Position, class Key, bool kFloating>
__global__ void __launch_bounds__(kThreads) select_block(const Key* in, int n, int k, Key* keys_out,
                                                         std::int64_t* positions_out, KeyOrder<Key> order) {
  using Ranks = DigitRanks<kThreads, kItems>;
  constexpr bool kPositions = Sort::Items<Key, Position>::kPairs;
  __shared__ Shared<std::uint32_t, Ranks::kWarps * kDigits> of_warps;
  __shared__ Shared<std::uint32_t, Ranks::kWarps> totals;
  Ranks tile{of_warps, totals};
  start_early();
  Key keys[kItems];
  Position positions[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    keys[i] = tile.place(i) < n ? in[tile.place(i)] : Key(0);
    if constexpr (kPositions) positions[i] = Position(tile.place(i));
  }
  sort_registers<kFloating>(keys, positions, n, order, tile);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int place = tile.place(i);
    if (place >= k) continue;
    if (keys_out) keys_out[place] = keys[i];
    if constexpr (kPositions) positions_out[place] = positions[i];
  }
}

template <class C>
void one_block(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr bool kFloating = TypeTraits<typename C::T>::floating;
  const auto select = [&]<int kItems, class Position>() {
    launch_early(ctx, 1, kThreads, kThreads * kItems * exchange_bytes<Key, Position>,
                 select_block<kItems, Position, Key, kFloating>, a.in, int(a.n), int(a.k), a.keys_out,
                 a.positions_out, a.order);
  };
  const auto of_length = [&]<class Position>() {
    a.n <= kThreads* kFew ? select.template operator()<kFew, Position>()
                          : select.template operator()<kMany, Position>();
  };
  if (a.positions_out)
    of_length.template operator()<std::uint32_t>();
  else
    of_length.template operator()<Sort::NoValue>();
}

REGISTER(
    TopK, one_block, .note = "what one block can hold, sorted on chip",
    .refuses = [](const TopK::Shape& shape, CaseId) -> std::string {
      return shape.n > kMost ? "one block holds 8,192 keys" : "";
    })

}  // namespace
}  // namespace tandem
