// Wrong:   writes items where others are still to be read.
// Caught:  calls in place.

#include "lib/ops/sort/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128, kMost = 2 * kThreads;

/// Neighbours change places until all are in order (odd-even transposition).
template <class Key, class Value>
__global__ void not_in_place_block(Sort::Items<const Key, const Value> in, int n, Sort::Items<Key, Value> out,
                                   KeyOrder<Key> order) {
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
    __syncthreads();
  }
  for (int i = t; i < n; i += kThreads) {
    out.keys[i] = in.keys[places[i]];
    if constexpr (out.kPairs) out.values[i] = in.values[places[i]];
  }
}

template <class C>
void not_in_place(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    launch(ctx, 1, kThreads, 0, not_in_place_block<typename C::Key, Value>, a.template in<Value>(), int(a.n),
           a.template out<Value>(), a.order);
  });
}

REGISTER(
    Sort, not_in_place, .note = "wrong on purpose",
    .refuses = [](const Sort::Shape& shape, CaseId) -> std::string {
      return shape.n > kMost ? "one block holds 256 keys" : "";
    })

}  // namespace
}  // namespace tandem
