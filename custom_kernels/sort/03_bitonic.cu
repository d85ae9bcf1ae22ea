// Idea:    a network: which two elements are compared does not depend on the data. Bitonic runs, which rise and then
//          fall, are halved again and again, until all runs are one that rises.
// New:     against the steps on the CPU, every comparison of a round at once; nobody waits for another's result but at
//          the end of a round.
// Expect:  n/4 log2(n)² comparisons, log2(n)²/2 rounds with a barrier each, all in shared memory. Elements are
//          compared by rank and place: networks swap over long distances, and would forget who came first.
// Limits:  2,048 keys, which one block holds.
// Source:  Batcher 1968, "Sorting networks and their applications".

#include "lib/ops/sort/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kMost = 2048;

/// padded: a power of two, at least n. What lies behind the keys stays behind them.
template <class Key, class Value>
__global__ void bitonic_block(Sort::Items<const Key, const Value> in, int n, int padded,
                              Sort::Items<Key, Value> out, KeyOrder<Key> order) {
  __shared__ Shared<Key, kMost> ranks;
  __shared__ Shared<int, kMost> places;
  const int t = threadIdx.x;
  for (int i = t; i < padded; i += kThreads) {
    ranks[i] = i < n ? order.rank(in.keys[i]) : KeyOrder<Key>::kAll;
    places[i] = i;
  }
  for (int run = 2; run <= padded; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (int pair = t; pair < padded / 2; pair += kThreads) {
        const int i = 2 * pair - (pair & (distance - 1)), j = i + distance;
        const Key x = ranks[i], y = ranks[j];
        const int at_x = places[i], at_y = places[j];
        const bool falls = x > y || (x == y && at_x > at_y), should_rise = (i & run) == 0;
        if (falls == should_rise) {
          ranks[i] = y, ranks[j] = x;
          places[i] = at_y, places[j] = at_x;
        }
      }
    }
  }
  __syncthreads();

  // In place nothing may be written before all is read.
  constexpr int kItems = kMost / kThreads;
  Key keys[kItems];
  Value values[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if (const int i = t + k * kThreads; i < n) {
      keys[k] = in.keys[places[i]];
      if constexpr (in.kPairs) values[k] = in.values[places[i]];
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if (const int i = t + k * kThreads; i < n) {
      out.keys[i] = keys[k];
      if constexpr (out.kPairs) out.values[i] = values[k];
    }
  }
}

template <class C>
void bitonic(const typename C::Args& a, Context& ctx) {
  int padded = 2;
  while (padded < a.n) padded *= 2;
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    launch(ctx, 1, kThreads, 0, bitonic_block<typename C::Key, Value>, a.template in<Value>(), int(a.n),
           padded, a.template out<Value>(), a.order);
  });
}

REGISTER(
    Sort, bitonic, .note = "a network in shared memory: log2(n)^2 / 2 rounds",
    .refuses = [](const Sort::Shape& shape, CaseId) -> std::string {
      return shape.n > kMost ? "one block holds 2,048 keys" : "";
    },
    .suits = [](const Sort::Shape& shape) { return shape.suits_comparisons(64); })

}  // namespace
}  // namespace tandem
