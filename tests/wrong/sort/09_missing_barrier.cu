// Wrong:   rounds of comparisons with no barrier between them.
// Caught:  races, and other orders of threads.

#include "lib/ops/sort/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128, kMost = 2 * kThreads;

/// Neighbours change places until all are in order (odd-even transposition).
template <class Key, class Value>
__global__ void missing_barrier_block(Sort::Items<const Key, const Value> in, int n,
                                      Sort::Items<Key, Value> out, KeyOrder<Key> order) {
  __shared__ Shared<Key, kMost> ranks;
  __shared__ Shared<int, kMost> places;
  const int t = threadIdx.x;
  for (int i = t; i < n; i += kThreads) {
    ranks[i] = order.rank(in.keys[i]);
    places[i] = i;
  }
  __syncthreads();
  for (int round = 0; round < n; ++round) {
    const int i = 2 * t + round % 2;
    if (i + 1 < n && ranks[i + 1] < ranks[i]) {
      const Key rank = ranks[i];
      const int place = places[i];
      ranks[i] = Key(ranks[i + 1]), ranks[i + 1] = rank;
      places[i] = int(places[i + 1]), places[i + 1] = place;
    }
  }
  __syncthreads();
  Key keys[2];
  Value values[2];
  for (int k = 0; k < 2; ++k) {
    if (const int i = t + k * kThreads; i < n) {
      keys[k] = in.keys[places[i]];
      if constexpr (in.kPairs) values[k] = in.values[places[i]];
    }
  }
  __syncthreads();
  for (int k = 0; k < 2; ++k) {
    if (const int i = t + k * kThreads; i < n) {
      out.keys[i] = keys[k];
      if constexpr (out.kPairs) out.values[i] = values[k];
    }
  }
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    launch(ctx, 1, kThreads, 0, missing_barrier_block<typename C::Key, Value>, a.template in<Value>(),
           int(a.n), a.template out<Value>(), a.order);
  });
}

REGISTER(
    Sort, missing_barrier, .note = "wrong on purpose",
    .refuses = [](const Sort::Shape& shape, CaseId) -> std::string {
      return shape.n > kMost ? "one block holds 256 keys" : "";
    })

}  // namespace
}  // namespace tandem
