// Idea:    a cluster of up to eight blocks sorts what their shared memory holds together: a pass sends every item straight to
//          the block, and the place in it, where the next pass reads it.
// New:     against one_block, eight times as many keys: blocks tell each other how many items of each digit they have, and
//          then write into each other's shared memory. Against one_sweep, no trip to memory between the passes.
// Expect:  a launch and a trip to memory and back; per digit the ranks of one_block, and two barriers of the cluster. A block
//          orders its items first, so that lanes next to each other write to places next to each other.
// Limits:  Hopper alone (sm_90a); 65,536 keys, 57,344 where they and their values have 64 bits. One multiprocessor for each 8,192
//          keys: the others have nothing to do.
// Source:  CUDA C++ Programming Guide, "Distributed shared memory"; Merrill, Grimshaw 2011, section 4.

#include "custom_kernels/sort/detail/block_sort.cuh"
#include "tandem/device/cluster.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 1024, kMostBlocks = 8;
/// Items of a thread, as there are few or many: of 16 bytes, shared memory holds no eighth.
constexpr int kFew = 4;
constexpr int many(std::size_t item_bytes) { return item_bytes > 12 ? 7 : 8; }
constexpr int most(std::size_t item_bytes) { return kMostBlocks * kThreads * many(item_bytes); }
template <class Key, class Value>
constexpr std::size_t kItemBytes = sizeof(Key) + (Sort::Items<Key, Value>::kPairs ? sizeof(Value) : 0);

/// Dynamic shared memory: items that change places within the block, one array at a time, then keys and values that arrive.
template <class Key, class Value, int kTile>
struct Layout {
  static constexpr std::size_t kOwn = exchange_bytes<Key, Value> * kTile;
  static constexpr std::size_t kBytes = kOwn + kItemBytes<Key, Value> * kTile;
  static constexpr int kKeys = kOwn / sizeof(Key);
  static TANDEM_HD constexpr int values_begin() { return (kOwn + sizeof(Key) * kTile) / sizeof(Value); }
};

/// Items in the order of the block become items in the order of the cluster: item i of the first `there` goes to targets[k],
/// k the round in which this thread meets it. `arrived` is where each block's items arrive.
template <int kTile, int kItems, class T, class Memory>
__device__ void send(Memory memory, int arrived, int there, const std::uint32_t (&targets)[kItems]) {
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = threadIdx.x + k * kThreads;
    if (i < there) in_block<T>(targets[k] / kTile, memory[arrived + int(targets[k] % kTile)]) = memory[i];
  }
}

template <int kItems, class Key, class Value, bool kFloating>
__global__ void __launch_bounds__(kThreads)
    sort_in_cluster(Sort::Items<const Key, const Value> in, int n, Sort::Items<Key, Value> out,
                    KeyOrder<Key> order) {
  using Ranks = DigitRanks<kThreads, kItems>;
  constexpr int kTile = Ranks::kTile;
  using Layout = tandem::Layout<Key, Value, kTile>;
  __shared__ Shared<std::uint32_t, Ranks::kWarps * kDigits> of_warps;
  __shared__ Shared<std::uint32_t, Ranks::kWarps> totals;
  __shared__ Shared<std::uint32_t, kMostBlocks * kDigits> of_blocks;  // items of each digit
  __shared__ Shared<std::uint32_t, kDigits>
      places;  // in the cluster, of each digit's first item, less its place in the block
  Ranks tile{of_warps, totals};
  auto keys_here = dynamic_shared<Key>();
  auto values_here = dynamic_shared<Value>();
  const int t = threadIdx.x, blocks = gridDim.x, block = blockIdx.x;
  const int there = min(n - block * kTile, kTile);
  cluster_arrive();
  start_early();
  in = in + block * kTile;
  Key keys[kItems];
  Value values[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const bool has = tile.place(k) < there;
    keys[k] = has ? in.keys[tile.place(k)] : Key(0);
    if constexpr (in.kPairs) values[k] = has ? in.values[tile.place(k)] : Value(0);
  }
  cluster_wait();  // all blocks have begun

  for (int bit = 0; bit < order.width; bit += kDigitBits) {
    const KeyDigit<Key, kFloating> digit(order, bit, min(kDigitBits, order.width - bit));
    std::uint32_t ranks[kItems];  // first digits, then places in the block
    // What lies behind the array has the largest digit, and so stays behind the block's items.
#pragma unroll
    for (int k = 0; k < kItems; ++k) ranks[k] = tile.place(k) < there ? digit(keys[k]) : kDigits - 1u;
    const std::uint32_t own = tile.count(ranks);
    if (t < kDigits) {
      const std::uint32_t real = t == kDigits - 1 ? own - std::uint32_t(kTile - there) : own;
      for (int b = 0; b < blocks; ++b) in_block(b, of_blocks[block * kDigits + t]) = real;
    }
    cluster_arrive();
    const std::uint32_t start_in_block = tile.order(own, ranks);
#pragma unroll
    for (int k = 0; k < kItems; ++k) keys_here[ranks[k]] = keys[k];
    cluster_wait();  // all counts are there
    std::uint32_t before = 0, all = 0;
    for (int b = 0; t < kDigits && b < blocks; ++b) {
      const std::uint32_t of_block = of_blocks[b * kDigits + t];
      before += b < block ? of_block : 0;
      all += of_block;
    }
    const std::uint32_t start = tile.sum_before(all);
    if (t < kDigits) places[t] = start + before - start_in_block;
    __syncthreads();
    std::uint32_t targets[kItems];
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const int i = t + k * kThreads;
      targets[k] = i < there ? places[digit(keys_here[i])] + std::uint32_t(i) : 0;
    }
    send<kTile, kItems, Key>(keys_here, Layout::kKeys, there, targets);
    if constexpr (in.kPairs) {
      __syncthreads();
#pragma unroll
      for (int k = 0; k < kItems; ++k) values_here[ranks[k]] = values[k];
      __syncthreads();
      send<kTile, kItems, Value>(values_here, Layout::values_begin(), there, targets);
    }
    cluster_arrive();
    cluster_wait();  // all items are there
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (tile.place(k) >= there) continue;
      keys[k] = keys_here[Layout::kKeys + tile.place(k)];
      if constexpr (in.kPairs) values[k] = values_here[Layout::values_begin() + tile.place(k)];
    }
  }

  out = out + block * kTile;
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if (tile.place(k) >= there) continue;
    out.keys[tile.place(k)] = keys[k];
    if constexpr (out.kPairs) out.values[tile.place(k)] = values[k];
  }
}

template <class C>
void cluster(const typename C::Args& a, Context& ctx) {
  constexpr bool kFloating = TypeTraits<typename C::T>::floating;
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    using Key = typename C::Key;
    const auto sort = [&]<int kItems>() {
      constexpr int kTile = kThreads * kItems;
      const int blocks = int(ceil_div(a.n, kTile));
      launch_clusters(ctx, 1, blocks, kThreads, Layout<Key, Value, kTile>::kBytes,
                      sort_in_cluster<kItems, Key, Value, kFloating>, a.template in<Value>(), int(a.n),
                      a.template out<Value>(), a.order);
    };
    a.n <= kMostBlocks* kThreads* kFew ? sort.template operator()<kFew>()
                                       : sort.template operator()<many(kItemBytes<Key, Value>)>();
  });
}

REGISTER(
    Sort, cluster,
    .note = "what a cluster of blocks can hold: items go straight to the block of their next place",
    .refuses = [](const Sort::Shape& shape, CaseId id) -> std::string {
      const int held = most(size_of(id.type) + static_cast<std::size_t>(shape.value_bytes));
      return shape.n > held ? "one cluster holds " + std::to_string(held) + " items of this size" : "";
    })

}  // namespace
}  // namespace tandem
